// Explains when a request did not reach the server or failed, and what to do.
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
    // Busy, rate limit and server errors of the site itself are one sentence, not a page.
    const sentence = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain") ? xhr.responseText : "";
    tell(sentence || (xhr.status === 403 ? place.dataset.forbidden : place.dataset.broken));
  });
  document.addEventListener("htmx:afterSwap", () => tell(""));

  // A refusal that contains the table explains itself; other error pages are not part of this page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (![403, 429].includes(event.detail.xhr.status) || !event.detail.serverResponse.includes("data-version=")) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
})();
