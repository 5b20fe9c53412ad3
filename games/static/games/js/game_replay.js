// A finished game replays itself: one board after the other, for as long as its words take to read. Without this script,
// and for those who want less motion, the last board stands still.
const A_TURN = 900; // ms
const A_LETTER = 22;
const MOST = 4500;
const AT_THE_END = 6000;

const still = matchMedia("(prefers-reduced-motion: reduce)");

function replay(stage, frames) {
  const field = stage.querySelector(".field");
  const words = stage.querySelector(".words");
  const scores = [...stage.querySelectorAll(".scores .number:not(.gain)")];
  const gains = [...stage.querySelectorAll(".scores .gain")];
  const button = stage.querySelector("button");
  const labels = { true: button.textContent, false: button.dataset.play };
  let at = frames.length - 1; // it stands in the page
  let timer = 0;
  let wanted = true; // until the reader pauses it
  let visible = false;

  function show(number) {
    at = number;
    const frame = frames[at].cloneNode(true);
    const amounts = frame.querySelectorAll("output");
    const paid = frame.querySelectorAll(".gain");
    field.replaceChildren(...frame.querySelector(".field").childNodes);
    words.replaceChildren(...frame.querySelector(".words").childNodes);
    scores.forEach((score, seat) => { score.textContent = amounts[seat]?.textContent ?? ""; });
    gains.forEach((gain, seat) => { gain.textContent = paid[seat]?.textContent ?? ""; });
  }

  function pause(ms) {
    clearTimeout(timer);
    if (wanted && visible && !document.hidden && !still.matches) timer = setTimeout(next, ms);
  }

  function next() {
    show((at + 1) % frames.length);
    const reading = Math.min(MOST, A_TURN + A_LETTER * words.textContent.length);
    pause(at === frames.length - 1 ? AT_THE_END : reading);
  }

  function press() {
    wanted = !wanted;
    button.textContent = labels[wanted];
    pause(0);
  }

  function settle() {
    button.hidden = still.matches;
    if (still.matches) show(frames.length - 1);
    pause(A_TURN);
  }

  button.addEventListener("click", press);
  still.addEventListener("change", settle);
  document.addEventListener("visibilitychange", () => pause(A_TURN));
  new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; pause(A_TURN); }).observe(stage);
  settle();
}

for (const stage of document.querySelectorAll("[data-replay]")) {
  const fetched = async () => {
    try {
      const answer = await fetch(stage.dataset.replay);
      const parsed = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      const frames = [...parsed.querySelectorAll(".frame")];
      if (frames.length > 1) replay(stage, frames);
    } catch { /* the last board stands */ }
  };
  if (!still.matches) fetched();
  else still.addEventListener("change", fetched, { once: true });
}
