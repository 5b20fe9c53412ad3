// Sounds of the table, made by the browser itself. They are off until they are asked for (see display.js), and a browser
// plays nothing before a first press. In a tab in the background only my turn sounds.
(() => {
  const table = document.querySelector("#table, #room");

  // Notes: pitch in Hz, begin and length in seconds.
  const SOUNDS = {
    tile: [[180, 0, 0.09], [90, 0, 0.12]],
    merger: [[262, 0, 0.2], [330, 0.1, 0.2], [392, 0.2, 0.35]],
    turn: [[523, 0, 0.16], [659, 0.13, 0.3]],
    end: [[392, 0, 0.2], [494, 0.16, 0.2], [587, 0.32, 0.2], [784, 0.48, 0.6]],
  };
  const LOUD = 0.12;

  let audio = null;

  function wanted() { return document.documentElement.classList.contains("sounds"); }
  function wake() {
    if (!wanted()) return;
    audio ??= new AudioContext();
    audio.resume();
  }
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, true);

  function note([pitch, begin, length]) {
    const at = audio.currentTime + begin;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(LOUD, at + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
  }

  function sound(name) {
    if (wanted() && audio && (name === "turn" || !document.hidden)) SOUNDS[name].forEach(note);
  }

  document.addEventListener("change", ({ target }) => {
    if (target.dataset.setting !== "sounds") return;
    wake();
    sound("turn");
  });
  if (!table) return;

  const has = (mark) => table.querySelector(mark) !== null;
  let mine = has("[data-my-turn]");
  let over = has(".podium");
  table.addEventListener("table:news", ({ detail }) => sound(detail.merged ? "merger" : "tile"));
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== table) return;
    if (!mine && has("[data-my-turn]")) sound("turn");
    if (!over && has(".podium")) sound("end");
    mine = has("[data-my-turn]");
    over = has(".podium");
  });
})();
