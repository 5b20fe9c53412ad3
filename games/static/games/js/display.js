// Settings of the page: light or dark, patterns on the chains, names on empty squares, sounds. Members and guests have
// them in their account, and the server renders the page with them; visitors have them in this browser only.
// Loaded before the page is drawn, so that it does not flash in the wrong colours.
(() => {
  const root = document.documentElement;
  const { account } = root.dataset; // where to save the settings
  root.classList.add("js");
  // Settings that are on or off by themselves, and the classes that show it.
  const SWITCHES = { square_names: "square-names", sounds: "sounds" };

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
  if (!account || fresh) {
    for (const [name, shown] of Object.entries(SWITCHES)) root.classList.toggle(shown, kept(name) === "on");
  }

  function switches() {
    return [...document.querySelectorAll("[data-setting]")].filter((box) => box.dataset.setting in SWITCHES);
  }
  function follow(box) { root.classList.toggle(SWITCHES[box.dataset.setting], box.checked); }
  document.addEventListener("change", ({ target }) => {
    if (!switches().includes(target)) return;
    follow(target);
    if (!account) keep(target.dataset.setting, target.checked ? "on" : "off");
  });
  // Theme and patterns have controls at the foot of each page, and others on the settings page that save themselves.
  function controls(name) { return [...document.querySelectorAll(`[data-setting=${name}]`)]; }
  function shown() {
    return { theme: root.dataset.theme || "system", patterns: root.classList.contains("patterns") ? "on" : "off" };
  }
  function mirror() {
    const { theme, patterns } = shown();
    for (const list of controls("theme")) list.value = theme;
    for (const box of controls("patterns")) box.checked = patterns === "on";
  }
  function choose(choices) {
    show(choices.theme, choices.patterns);
    if (account) remember(choices);
    mirror();
  }
  function read(control) {
    if (control.type === "checkbox") return control.checked ? "on" : "off";
    return control.value;
  }
  document.addEventListener("change", ({ target }) => {
    const name = target.dataset.setting;
    if (name !== "theme" && name !== "patterns") return;
    const value = read(target);
    choose({ ...shown(), [name]: value });
    if (!account) keep(name, value);
    else if (!target.matches("[hx-post]")) tell({ [name]: value });
  });
  // A choice of an account is saved by a request, which may fail, and goes back by Undo.
  document.addEventListener("htmx:afterRequest", () => setTimeout(() => {
    switches().forEach(follow);
    const saved = ["theme", "patterns"].map((name) => document.querySelector(`[data-setting=${name}][hx-post]`));
    if (saved.every(Boolean)) choose({ theme: read(saved[0]), patterns: read(saved[1]) });
  }));

  document.addEventListener("DOMContentLoaded", () => {
    if (fresh) {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
      const known = ["theme", "patterns", ...Object.keys(SWITCHES)].map((name) => [name, kept(name)]);
      tell({ zone, ...Object.fromEntries(known) });
    }
    for (const box of switches()) box.checked = root.classList.contains(SWITCHES[box.dataset.setting]);
    mirror();
  });
})();
