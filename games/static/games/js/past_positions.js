// Navigation through the positions of a game: keys, slider and playback. Without a script links and a form do this.
// Each position is requested by its number, so that every one of several quick steps counts.
(() => {
  const table = document.getElementById("table");
  const place = () => table.querySelector("[data-at]");
  if (!place()) return;

  let wanted = Number(place().dataset.at);
  let asking = false; // a request is under way
  let quietly = false; // replace the address of this position, do not add to the history
  let playing = null; // the timer of playback, which waits for each response
  let speed = null; // the last choice, because each position comes with a new field

  const last = () => Number(place().dataset.last);
  const turns = () => place().dataset.turns.split(",").map(Number);
  const address = (number) => `${place().dataset.url}${number}/`;

  function go(number, { quiet = false } = {}) {
    const to = Math.max(0, Math.min(number, last()));
    if (to === wanted) return;
    wanted = to;
    quietly = quiet;
    if (!asking) ask();
  }

  // One request at a time: what was wanted meanwhile comes next.
  function ask() {
    const number = wanted;
    asking = true;
    const answer = window.htmx.ajax("GET", address(number), { source: table, target: table, swap: "innerHTML" });
    answer.catch(() => {}).finally(() => {
      asking = false;
      if (wanted === number) wanted = Number(place().dataset.at); // the server gives another one if there is no such position
      else ask();
    });
  }

  const steps = {
    first: () => 0,
    "turn-before": () => Math.max(0, ...turns().filter((turn) => turn < wanted)),
    before: () => wanted - 1,
    after: () => wanted + 1,
    "turn-after": () => Math.min(last(), ...turns().filter((turn) => turn > wanted)),
    last,
  };

  // ---- playback -----------------------------------------------------------------------------------------------------

  function stop() {
    clearTimeout(playing);
    playing = null;
    shown();
  }

  function goOn() {
    if (wanted >= last()) stop();
    else playing = setTimeout(() => go(wanted + 1, { quiet: true }), Number(table.querySelector("[data-speed]").value));
  }

  function shown() {
    const button = table.querySelector("[data-play]");
    button.textContent = playing === null ? button.dataset.start : button.dataset.pause;
    if (speed) table.querySelector("[data-speed]").value = speed;
  }

  // ---- input from the reader ----------------------------------------------------------------------------------------

  table.addEventListener("click", (event) => {
    if (event.target.closest("[data-play]")) {
      if (playing !== null) stop();
      else { goOn(); shown(); }
      return;
    }
    const link = event.target.closest(".steps a[data-to]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    stop();
    go(steps[link.id.slice("go-".length)]());
  });

  // While it is dragged, the slider only shows the number: the next position comes with its own slider.
  table.addEventListener("input", (event) => {
    if (event.target.id !== "slide") return;
    stop();
    table.querySelector("[data-slide]").textContent = event.target.value;
  });

  table.addEventListener("change", (event) => {
    if (event.target.id === "slide") go(Number(event.target.value), { quiet: true });
    if ("speed" in event.target.dataset) speed = event.target.value;
  });

  table.addEventListener("submit", (event) => {
    if (event.target.closest(".slide")) event.preventDefault();
  });

  const keys = { ArrowUp: "turn-before", ArrowDown: "turn-after", Home: "first", End: "last" };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    // Fields and the board use these keys themselves.
    if (event.target.closest("input, select, textarea, [contenteditable], .board")) return;
    let step = keys[event.key];
    if (event.key === "ArrowLeft") step = event.shiftKey ? "turn-before" : "before";
    if (event.key === "ArrowRight") step = event.shiftKey ? "turn-after" : "after";
    if (!step) return;
    event.preventDefault();
    stop();
    go(steps[step]());
  });

  // ---- responses ----------------------------------------------------------------------------------------------------

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== table || !place()) return;
    const at = Number(place().dataset.at);
    if (location.pathname !== address(at)) {
      history[quietly ? "replaceState" : "pushState"](null, "", address(at));
    }
    if (playing !== null) goOn();
    shown();
  });

  // After a failed step playback stops.
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    table.addEventListener(failure, () => {
      stop();
    });
  }

  window.addEventListener("popstate", () => {
    const number = /\/at\/(\d+)\/$/.exec(location.pathname);
    stop();
    if (number) go(Number(number[1]), { quiet: true });
  });
})();
