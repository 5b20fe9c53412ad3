// When two or more moves have come since the reader's last look, they are shown one after the other: boards of the past
// stand in the place of the present one. Any tap or key ends it, so it is never in the way of the next decision.
(() => {
  const table = document.getElementById("table");
  if (!table) return;

  const A_MOVE = 900; // ms
  const ALL = 4000;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const key = `seen-${table.dataset.game}`;
  const version = () => Number(table.querySelector("[data-version]")?.dataset.version ?? 0);

  let present = null; // the board of the table, while another one stands in its place
  let cash = [];
  let timer = 0;
  let plays = 0; // a later replay ends an earlier one
  let before = null; // the board before a swap

  const bar = () => table.querySelector(".replay");
  const board = () => table.querySelector(".felt .board");

  // The page remembers what it has shown, so a reload does not repeat it.
  function remembered() {
    try { return Number(sessionStorage.getItem(key)); } catch { return 0; }
  }
  function remember() {
    try { sessionStorage.setItem(key, version()); } catch { /* private windows may refuse: then it plays again */ }
  }
  let seen = remembered();

  function newMoves() {
    return (bar()?.dataset.moves ?? "").split(" ").map(Number).filter((number) => number > seen);
  }

  function shows(other, amounts, animated) {
    if (board() !== other) board().replaceWith(other);
    table.dispatchEvent(new CustomEvent("board:shown", { detail: { cash: amounts, animated } }));
  }

  function end() {
    plays += 1;
    clearTimeout(timer);
    delete table.dataset.replays;
    if (!present) return;
    shows(present, cash, false);
    present = null;
    if (bar()) bar().hidden = true;
  }

  function step(steps, pace) {
    const [next, ...others] = steps;
    if (!next) { end(); return; }
    bar().querySelector(".what").replaceChildren(...next.querySelectorAll("p"));
    shows(next.querySelector(".board"), JSON.parse(next.dataset.cash), true);
    timer = setTimeout(() => step(others, pace), pace);
  }

  // Until the first of them is here, the board from before the swap stays.
  async function replay(moves, old) {
    const mine = plays += 1;
    table.dataset.replays = "";
    present = board();
    cash = [...table.querySelectorAll(".strip .cash")].map((purse) => purse.textContent.trim());
    if (old) present.replaceWith(old);
    try {
      const answer = await fetch(`${bar().dataset.url}?since=${moves[0] - 1}`);
      const parsed = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      if (mine !== plays) return;
      const [start, ...steps] = parsed.querySelectorAll(".replayed");
      if (!steps.length) { end(); return; }
      shows(start.querySelector(".board"), JSON.parse(start.dataset.cash), false);
      bar().hidden = false;
      step(steps, Math.min(A_MOVE, ALL / steps.length));
    } catch {
      if (mine === plays) end();
    }
  }

  function begin(old) {
    if (document.hidden) return; // until somebody looks
    const moves = newMoves();
    seen = version();
    remember();
    const busy = board()?.contains(document.activeElement);
    if (moves.length > 1 && !still.matches && !busy) replay(moves, old);
  }

  // A click on a square counts for the present board. The bar, too, ends it by a click only, which would otherwise land
  // on what the bar had covered.
  function press(event) {
    if (!present) return;
    const waits = event.target.closest?.(".replay, .board");
    if (event.type === "pointerdown" && waits) { clearTimeout(timer); return; }
    end();
    const square = event.type === "click" && document.getElementById(event.target.closest(".board .square")?.id);
    if (!square) return;
    event.preventDefault();
    event.stopPropagation();
    square.click();
  }
  for (const kind of ["pointerdown", "pointercancel", "keydown", "click"]) document.addEventListener(kind, press, true);
  document.addEventListener("visibilitychange", () => begin(null));

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== table || !event.detail.shouldSwap) return;
    end();
    before = board();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== table) return;
    if (event.detail.requestConfig.verb === "get") begin(before);
    else { seen = version(); remember(); }
    before = null;
  });

  begin(null);
})();
