// The seconds that are left to answer the ready check of a live game, by the server's time.
(() => {
  const room = document.getElementById("room");
  let offset = null; // the server's time minus performance.now()
  let timer = 0;

  function tick() {
    clearTimeout(timer);
    const shown = room.querySelector("[data-ready-ends]");
    if (!shown || offset === null) return;
    const rest = Math.max(0, Number(shown.dataset.readyEnds) - performance.now() - offset);
    const seconds = Math.ceil(rest / 1000);
    shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (rest > 0) timer = setTimeout(tick, (rest % 1000) + 5);
  }

  async function sync() {
    const sent = performance.now();
    try {
      const answer = await fetch(room.dataset.time, { cache: "no-store", credentials: "omit" });
      if (!answer.ok) return;
      offset = Number(await answer.text()) - (sent + performance.now()) / 2;
    } catch { return; } // offline: the sentence beside it tells the time
    tick();
  }

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === room && room.querySelector("[data-ready-ends]")) sync();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sync(); });
  if (room.querySelector("[data-ready-ends]")) sync();
})();
