// Display settings: light or dark, patterns on the chains. Members and guests have them in their account, and the
// server renders the page with them; visitors have them in this browser only.
// Loaded before the page is drawn, so that it does not flash in the wrong colours.
(() => {
  const root = document.documentElement;
  const { account } = root.dataset; // where to save the settings
  root.classList.add("js");

  function kept(name) {
    try { return localStorage.getItem(name) || ""; } catch { return ""; }
  }
  function keep(name, value) {
    try { localStorage.setItem(name, value); } catch { /* private windows may refuse; then the choice lasts for this page */ }
  }
  function show(theme, patterns) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    root.classList.toggle("patterns", patterns === "on");
  }
  function tell(choices) {
    const { "X-CSRFToken": token } = JSON.parse(document.body.getAttribute("hx-headers"));
    // `keepalive`: the request arrives even if the reader leaves the page at once.
    fetch(account, {
      method: "POST", body: new URLSearchParams(choices), headers: { "X-CSRFToken": token }, keepalive: true,
    }).catch(() => { /* the next page repeats it, or the reader chooses again */ });
  }

  // The server may render the next page before it has a choice that was made a moment ago.
  function lately() {
    try {
      const { at, ...choices } = JSON.parse(sessionStorage.getItem("chosen"));
      return Date.now() - at < 10_000 ? choices : null;
    } catch { return null; }
  }
  function remember(choices) {
    try { sessionStorage.setItem("chosen", JSON.stringify({ ...choices, at: Date.now() })); } catch { /* as above */ }
  }

  // Send a new account once what the browser knows: its time zone, and what the visitor chose before.
  const fresh = account && "new" in root.dataset;
  const chosen = account && lately();
  if (chosen) show(chosen.theme, chosen.patterns);
  else if (!account || fresh) show(kept("theme"), kept("patterns"));

  document.addEventListener("DOMContentLoaded", () => {
    if (fresh) {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
      tell({ zone, theme: kept("theme"), patterns: kept("patterns") });
    }
    const theme = document.querySelector("[data-setting=theme]");
    const patterns = document.querySelector("[data-setting=patterns]");
    if (!theme || !patterns) return;
    theme.value = root.dataset.theme || "system";
    patterns.checked = root.classList.contains("patterns");

    const changed = (name) => {
      const choices = { theme: theme.value, patterns: patterns.checked ? "on" : "off" };
      show(choices.theme, choices.patterns);
      if (account) {
        remember(choices);
        tell({ [name]: choices[name] });
      } else keep(name, choices[name]);
    };
    theme.addEventListener("change", () => changed("theme"));
    patterns.addEventListener("change", () => changed("patterns"));
  });
})();
