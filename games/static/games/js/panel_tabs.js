// The panels of a table as tabs: beside the board, or on a phone between board and bar. Style sheets show the panel that
// #table names, which outlives every swap. Without a script all panels stand below each other.
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const wide = matchMedia("(min-width: 68.75em)");
  const chat = document.getElementById("panel-chat");
  const tabs = () => [...table.querySelectorAll("[role=tab]")];

  let chosen = ""; // by the reader, until the next step of their turn
  let read = 0; // the last log entry that was shown
  let height = 0; // where the page was scrolled to before a swap

  const first = () => table.querySelector("[data-begins]")?.dataset.begins ?? "turn";

  // Beside the board "turn" is no tab of its own if it stands there anyway.
  function shown() {
    const { tab } = table.dataset;
    return wide.matches && tab === "turn" && !table.querySelector(".tabs.beside [data-panel=turn]") ? "stocks" : tab;
  }

  function newEntries() {
    const numbers = [...table.querySelectorAll(".log .unseen")].map((entry) => Number(entry.id.slice("entry-".length)));
    if (shown() === "log") read = Math.max(read, ...numbers);
    return numbers.filter((number) => number > read).length;
  }

  function newMessages() {
    const pill = document.querySelector("#talk-unread [data-unread]");
    if (!pill) return "";
    return "mentions" in pill.dataset ? `@ ${pill.dataset.unread}` : pill.dataset.unread;
  }

  // True if the reader is to decide, and something else is shown than the panel of the decision.
  function isAway() {
    const beside = wide.matches && first() === "turn" && !table.querySelector(".tabs.beside [data-panel=turn]");
    return table.querySelector("[data-my-turn]") !== null && shown() !== first() && !beside;
  }

  function marks() {
    return { log: newEntries() || "", chat: newMessages(), [first()]: isAway() ? "!" : "" };
  }

  function update() {
    const now = marks();
    for (const tab of tabs()) {
      const selected = tab.dataset.panel === shown();
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const mark = tab.querySelector(".mark");
      const badge = now[tab.dataset.panel];
      const asked = badge === "!";
      const [sign, words] = mark.children;
      mark.hidden = !badge;
      sign.textContent = badge ?? "";
      sign.ariaHidden = asked ? "true" : null;
      words.textContent = asked ? words.dataset.asked : words.dataset.new;
    }
    document.dispatchEvent(new CustomEvent("table:away", { detail: isAway() }));
  }

  function show(panel) {
    const other = table.dataset.tab !== panel;
    table.dataset.tab = panel;
    if (panel === "chat") chat.querySelector("details").open = true;
    update();
    if (other) document.dispatchEvent(new CustomEvent("table:panel"));
  }

  function choose(panel) {
    chosen = panel;
    show(panel);
    // Where the board stays in sight, the panel below it begins at its beginning.
    if (!wide.matches) window.scrollTo({ top: 0 });
  }

  table.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab.dataset.panel);
  });

  document.addEventListener("table:asked", () => choose(first()));

  table.addEventListener("keydown", (event) => {
    const tab = event.target.closest("[role=tab]");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!tab || !step) return;
    event.preventDefault();
    const row = tabs().filter((one) => one.checkVisibility());
    const next = row[(row.indexOf(tab) + step + row.length) % row.length];
    choose(next.dataset.panel);
    next.focus();
  });

  // A link to something in a panel that is not shown.
  function showTarget() {
    const panel = location.hash.length > 1 && document.getElementById(location.hash.slice(1))?.closest("[role=tabpanel]");
    if (!panel) return;
    chosen = panel.id.slice("panel-".length);
    show(chosen);
    document.querySelector(location.hash).scrollIntoView();
  }

  // The reader's own move leads to what is asked next; news of others change nothing of what they have chosen, and a
  // form in a panel comes back to it.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    height = window.scrollY;
    const panel = detail.requestConfig.elt.closest("[role=tabpanel]");
    if (panel && detail.target === table) chosen = panel.id.slice("panel-".length);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === table) {
      const moved = event.detail.requestConfig.elt.id === "decision";
      if (moved) chosen = "";
      show(chosen || first());
      if (!moved) window.scrollTo({ top: height });
    } else update();
  });
  document.addEventListener("htmx:oobAfterSwap", update);
  window.addEventListener("hashchange", showTarget);
  wide.addEventListener("change", update);

  show(first());
  showTarget();
})();
