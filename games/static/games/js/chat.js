// The chat is fetched when it is shown, then message by message. What is fetched counts as read, so while it is
// folded or hidden only the number of unread messages is.
(() => {
  const talk = document.getElementById("talk");
  if (!talk) return;
  const lines = document.getElementById("talk-lines");
  const unread = document.getElementById("talk-unread");
  const problem = document.getElementById("talk-problem");
  const form = talk.querySelector("form");
  const box = lines.parentElement;

  function ask() {
    if (document.hidden) return;
    if (talk.open && talk.checkVisibility()) lines.dispatchEvent(new CustomEvent("talk:look"));
    else unread.dispatchEvent(new CustomEvent("talk:count"));
  }

  talk.addEventListener("toggle", ask);
  document.addEventListener("live:beside", ask);
  document.addEventListener("table:panel", ask);
  document.addEventListener("visibilitychange", ask);

  // The page says what it has; the response is what came after that.
  talk.addEventListener("htmx:configRequest", (event) => {
    const { parameters } = event.detail;
    if (event.detail.elt === unread) {
      parameters.known = unread.querySelector("[data-unread]")?.dataset.unread ?? 0;
    } else {
      parameters.after = lines.lastElementChild?.dataset.line ?? 0;
    }
  });

  let atEnd = true; // do not scroll a reader of older messages
  talk.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== lines) return;
    atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    if (event.detail.xhr.status < 400) return;
    event.detail.shouldSwap = false;
    event.detail.isError = true;
  });
  talk.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === lines && (atEnd || event.detail.requestConfig.verb === "post")) {
      box.scrollTop = box.scrollHeight;
    }
  });

  // A refused message stays in the field, with the reason below it.
  function tell(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }
  if (!form) return;
  form.addEventListener("htmx:responseError", (event) => {
    const { xhr } = event.detail;
    if (!(xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain")) return;
    event.stopPropagation();
    tell(xhr.responseText);
  });
  form.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== form || !event.detail.successful) return;
    tell("");
    form.text.value = "";
  });
  // Written before a log-in, not sent yet.
  if (form.text.value) addEventListener("load", () => { talk.open = true; });
})();
