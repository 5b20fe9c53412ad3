// The clocks on the page of live games tick by the server's time, which comes with the page and each change of it.
const LOW = 10; // seconds from which a clock warns
const OFTEN = 250; // ms; what is shown changes once a second

let offset = 0; // the server's time minus the device's
let stamp = null;

function sync() {
  const { now } = document.getElementById("live-shown").dataset;
  if (now === stamp) return;
  stamp = now;
  offset = Number(now) - Date.now();
}

function words(seconds) { return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`; }

function tick() {
  for (const clock of document.querySelectorAll("[data-clock-ends]")) {
    const seconds = Math.round(Math.max(0, Number(clock.dataset.clockEnds) - Date.now() - offset) / 1000);
    const text = words(seconds);
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", seconds <= LOW);
  }
}

for (const event of ["htmx:afterSwap", "htmx:oobAfterSwap"]) document.addEventListener(event, () => { sync(); tick(); });

sync();
tick();
setInterval(tick, OFTEN);
