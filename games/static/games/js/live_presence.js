// The players at a live table. A tick that brings no move makes the page ask for them.
(() => {
  const table = document.getElementById("table");
  let latest = 0;

  async function ask() {
    const number = ++latest;
    let here;
    try {
      const answer = await fetch(table.dataset.presence);
      if (!answer.ok) return;
      ({ here } = await answer.json());
    } catch {
      return; // the next question is not far
    }
    if (number !== latest) return; // a newer answer follows
    for (const dot of table.querySelectorAll("[data-here]")) dot.hidden = !here.includes(Number(dot.dataset.here));
  }

  document.addEventListener("live:beside", ask);
})();
