// Motion that says what has changed: a tile drops, a chain floods to its new colour from there, money counts. It
// compares the table that was shown with the one that has come, so it can tell nothing else, and nothing waits for it.
// Others hear of the change as `table:news`.
(() => {
  const table = document.getElementById("table");
  if (!table) return;

  const FLOOD_STEP = 25; // ms for each square from the tile
  const FLOOD_MOST = 600;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const tokens = getComputedStyle(document.documentElement);
  const token = (name) => tokens.getPropertyValue(name).trim();
  const time = (name) => parseFloat(token(name)) * (token(name).endsWith("ms") ? 1 : 1000);

  // What lies on a square, by the name of its colour; "" for nothing.
  function lyingOn({ classList }) {
    if (classList.contains("lone")) return "stone";
    if (classList.contains("park")) return "park";
    return /(?:^| )(?:chain|of)-(\w+)/.exec(classList.value)?.[1] ?? "";
  }

  const squares = () => [...table.querySelectorAll(".board [data-column][data-row]")];
  const purses = () => [...table.querySelectorAll(".strip .cash")];
  const dollars = (text) => Number(text.replace(/[^\d]/g, ""));

  function read() {
    return {
      on: new Map(squares().map((square) => [square.id, lyingOn(square)])),
      cash: purses().map((purse) => purse.textContent.trim()),
    };
  }

  let shown = read();
  let counts = 0; // a later change ends the counting of an earlier one

  function distance(one, other) {
    return Math.abs(one.dataset.column - other.dataset.column) + Math.abs(one.dataset.row - other.dataset.row);
  }

  function drop(square, colour) {
    const backgroundColor = `var(--${colour})`;
    square.animate(
      [{ transform: "scale(1.35)", opacity: 0, backgroundColor }, { transform: "none", opacity: 1, backgroundColor }],
      { duration: time("--d-2"), easing: token("--drop") },
    );
  }

  // Return when the last square begins to have its new colour.
  function flood(changed, origin, delay) {
    let latest = 0;
    for (const { square, before } of changed) {
      const after = delay + Math.min(FLOOD_MOST, FLOOD_STEP * distance(square, origin));
      latest = Math.max(latest, after);
      square.animate([{ backgroundColor: `var(--${before})` }], {
        duration: time("--d-3"), delay: after, easing: token("--out"), fill: "backwards",
      });
    }
    return latest;
  }

  // The amount counts, and what came in rises from the owner's cell.
  function pay(purse, before, delay) {
    const final = purse.textContent.trim();
    const from = dollars(before);
    const to = dollars(final);
    const duration = time("--d-4");
    const begin = performance.now() + delay;
    const mine = counts;
    const count = (now) => {
      const part = Math.min(1, Math.max(0, (now - begin) / duration));
      if (mine !== counts || !purse.isConnected) return;
      purse.textContent = part < 1 ? `$${Math.round(from + (to - from) * part).toLocaleString("en")}` : final;
      if (part < 1) requestAnimationFrame(count);
    };
    count(performance.now());
    if (to > from) rise(purse, `+$${(to - from).toLocaleString("en")}`, delay, duration);
  }

  function rise(purse, text, delay, duration) {
    const gain = Object.assign(document.createElement("span"), { className: "gain", ariaHidden: "true", textContent: text });
    purse.parentElement.append(gain);
    const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.7 }, { opacity: 0, transform: "translateY(-20%)" }];
    gain.animate(frames, { duration: 2 * duration, delay, easing: token("--in-out"), fill: "both" }).onfinish = () => gain.remove();
  }

  function play({ animated = true, cash = [] } = {}) {
    const before = shown;
    counts += 1;
    if (cash.length) purses().forEach((purse, seat) => { purse.textContent = cash[seat] || "?"; });
    shown = read();
    const changed = squares()
      .map((square) => ({ square, before: before.on.get(square.id), after: shown.on.get(square.id) }))
      .filter((one) => one.before !== undefined && one.before !== one.after && one.after);
    const placed = changed.filter((one) => !one.before);
    const flooded = changed.filter((one) => one.before);
    const merged = flooded.some((one) => one.before !== "stone");
    if (!animated) return;
    if (placed.length || flooded.length) {
      table.dispatchEvent(new CustomEvent("table:news", { detail: { placed: placed.length > 0, merged } }));
    }
    if (still.matches || document.hidden) return;
    for (const one of placed) drop(one.square, one.after);
    let delay = placed.length ? time("--d-2") : 0;
    const origin = placed[0]?.square ?? table.querySelector(".board .new") ?? flooded[0]?.square;
    if (flooded.length) delay = flood(flooded, origin, delay) + time("--d-3");
    purses().forEach((purse, seat) => {
      const was = before.cash[seat];
      const is = shown.cash[seat];
      if (/\d/.test(was ?? "") && /\d/.test(is) && was !== is) pay(purse, was, delay);
    });
  }

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === table) play({ animated: table.dataset.replays === undefined });
  });
  table.addEventListener("board:shown", (event) => play(event.detail));
})();
