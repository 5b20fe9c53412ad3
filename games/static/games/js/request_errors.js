// Explains when a request did not reach the server or failed, and what to do: in the bar of a table if it has one.
(() => {
  const page = document.getElementById("trouble");
  if (!page) return;
  let told = null; // the place, and the element whose request failed, or "offline"

  function forget() {
    if (told) told.place.hidden = true;
    told = null;
  }

  function tell(text, about) {
    forget();
    const place = document.querySelector("[data-trouble]") ?? page;
    place.textContent = text;
    place.hidden = false;
    told = { place, about };
  }

  const asked = (event) => event.detail.requestConfig && event.detail.requestConfig.verb !== "get";
  const offline = (event) => { if (asked(event)) tell(page.dataset.offline, "offline"); };

  document.addEventListener("htmx:sendError", offline);
  document.addEventListener("htmx:timeout", offline);
  document.addEventListener("htmx:responseError", (event) => {
    const { elt, xhr } = event.detail;
    // Who has logged out or in meanwhile is told, although only the page itself has asked.
    if (!asked(event) && xhr.status !== 401) return;
    // Busy, rate limit and server errors of the site itself are one sentence, not a page.
    const sentence = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain") ? xhr.responseText : "";
    tell(sentence || (xhr.status === 403 ? page.dataset.forbidden : page.dataset.broken), elt);
  });
  // Once the server answers again, or answers the same request, there is nothing left to tell.
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful } }) => {
    if (successful && told && (told.about === "offline" || told.about === elt)) forget();
  });

  // Say whose form it is, in case somebody logs out in another tab; htmx says it by a header.
  document.addEventListener("submit", ({ target: form }) => {
    const account = JSON.parse(document.body.getAttribute("hx-headers"))["X-Account"];
    if (!account || form.method !== "post" || form.hasAttribute("hx-post") || form.elements.page_account) return;
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "page_account", value: account }));
  });

  // A refusal that contains the table explains itself; other error pages are not part of this page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (![403, 429].includes(event.detail.xhr.status) || !event.detail.serverResponse.includes("data-version=")) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
})();
