// The clock of the player to move at a live table, ticking by the server's time. The clock of the device may be wrong by
// hours, so the page asks the server for its time, and again after sleep.
(() => {
  const table = document.getElementById("table");
  const LOW = 10; // seconds from which the reader is warned
  const SOUNDS_AT = [10, 5, 3, 2, 1];
  const NOTE = { pitch: 880, length: 0.08, loud: 0.12 }; // Hz, seconds
  const SYNC = 60_000; // how often the page asks for the time
  const TRIES = 3; // the fastest answer tells the time best
  const LEAP = 500; // ms that the two clocks of the device may part

  let offset = null; // the server's time minus performance.now()
  let asleep = Date.now() - performance.now();
  let timer = 0;
  let told = null; // the seconds that were shown last

  // As in sounds.js: silent unless sounds were asked for, and before a first press. It sounds in a tab in the background.
  let audio = null;
  function wake() {
    if (!document.documentElement.classList.contains("sounds")) return;
    audio ??= new AudioContext();
    audio.resume();
  }
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, true);
  function sound() {
    if (!audio || !document.documentElement.classList.contains("sounds")) return;
    const at = audio.currentTime;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: NOTE.pitch });
    const volume = new GainNode(audio, { gain: NOTE.loud });
    volume.gain.setValueAtTime(NOTE.loud, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + NOTE.length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + NOTE.length);
  }

  const clocks = () => table.querySelectorAll("[data-clock-ends]");
  const now = () => performance.now() + offset;

  // Until the server has answered, its time is that at which it rendered the page.
  function guess() {
    const rendered = table.querySelector("[data-clock-now]");
    if (offset === null && rendered) offset = Number(rendered.dataset.clockNow) - performance.now();
  }

  async function ask() {
    const sent = performance.now();
    const answer = await fetch(table.dataset.time, { cache: "no-store", credentials: "omit" });
    if (!answer.ok) throw new Error(answer.statusText);
    const time = Number(await answer.text());
    const trip = performance.now() - sent;
    return { trip, offset: time - sent - trip / 2 };
  }

  let syncing = 0;
  async function sync() {
    clearTimeout(syncing);
    syncing = setTimeout(sync, SYNC);
    let best = null;
    for (let tried = 0; tried < TRIES; tried += 1) {
      try {
        const found = await ask();
        if (best === null || found.trip < best.trip) best = found;
      } catch { break; } // offline: the next tries will tell
    }
    if (best === null) return;
    offset = best.offset;
    tick();
  }

  function words(seconds) { return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`; }

  function warn(seconds) {
    if (seconds === told || !table.querySelector("[data-my-turn]")) return;
    if (SOUNDS_AT.includes(seconds)) sound();
    if (seconds === LOW) document.getElementById("announce").textContent = table.dataset.lowTime;
  }

  function tick() {
    clearTimeout(timer);
    const running = clocks();
    if (!running.length) { told = null; return; }
    const drift = Date.now() - performance.now();
    if (Math.abs(drift - asleep) > LEAP) { asleep = drift; sync(); } // performance.now() may stop in sleep
    const rest = Math.max(0, Number(running[0].dataset.clockEnds) - now());
    const seconds = Math.round(rest / 1000);
    for (const clock of running) {
      clock.textContent = words(seconds);
      clock.classList.toggle("low", seconds <= LOW);
    }
    warn(seconds);
    told = seconds;
    // Just after the next half second, when another number is nearest.
    if (rest > 0) timer = setTimeout(tick, Math.max(20, ((rest + 500) % 1000) + 5));
  }

  document.addEventListener("htmx:afterSwap", ({ detail }) => { if (detail.target === table) { guess(); tick(); } });
  for (const event of ["pageshow", "focus", "online"]) window.addEventListener(event, sync);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sync(); });

  guess();
  tick();
})();
