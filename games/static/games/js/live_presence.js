// The players at a live table. A tick that brings no move makes the page ask for them, and while somebody is away it asks
// again by itself.
(() => {
  const table = document.getElementById("table");
  const AGAIN = 10_000; // ms
  let latest = 0;
  let later = 0;

  async function ask() {
    const number = ++latest;
    clearTimeout(later);
    let answer;
    try {
      const response = await fetch(table.dataset.presence);
      if (!response.ok) return;
      answer = await response.json();
    } catch {
      return; // the next question is not far
    }
    if (number !== latest) return; // a newer answer follows
    for (const dot of table.querySelectorAll("[data-here]")) dot.hidden = !answer.here.includes(Number(dot.dataset.here));
    table.querySelector("[data-away]")?.replaceChildren(...answer.away.map(line));
    if (answer.changes && !document.hidden) later = setTimeout(ask, AGAIN);
  }

  function line(sentence) {
    const element = document.createElement("p");
    element.className = "dim";
    element.textContent = sentence;
    return element;
  }

  document.addEventListener("live:beside", ask);
})();
