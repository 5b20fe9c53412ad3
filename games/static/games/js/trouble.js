// Says in words when a request did not reach the server or came back broken, and what to do then.
(() => {
  const place = document.getElementById("trouble");
  if (!place) return;
  const tell = (text) => { place.textContent = text; place.hidden = !text; };
  const asked = (event) => event.detail.requestConfig && event.detail.requestConfig.verb !== "get";

  document.addEventListener("htmx:sendError", (event) => { if (asked(event)) tell(place.dataset.offline); });
  document.addEventListener("htmx:timeout", (event) => { if (asked(event)) tell(place.dataset.offline); });
  document.addEventListener("htmx:responseError", (event) => {
    if (!asked(event)) return;
    const { xhr } = event.detail;
    // What the site itself says when it is busy, asked too often or broken is one sentence, not a page.
    const sentence = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain") ? xhr.responseText : "";
    tell(sentence || (xhr.status === 403 ? place.dataset.forbidden : place.dataset.broken));
  });
  document.addEventListener("htmx:afterSwap", () => tell(""));

  // A refusal that brings the table along says itself what is wrong; other answers are no part of this page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (![403, 429].includes(event.detail.xhr.status) || !event.detail.serverResponse.includes("data-version=")) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
})();
