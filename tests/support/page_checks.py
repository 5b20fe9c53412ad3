"""Scripts that look for faults in the layout and accessibility of a page."""

PHONE = {"width": 360, "height": 740}

DESK = {"width": 1440, "height": 900}

# Layout faults: a page that scrolls sideways, text at the border of its panel, a bar out of sight.
MISFITS = """() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide`);
  const top = document.querySelector(".top");
  if (top.getBoundingClientRect().height > 60) faults.push("the header takes more than a line");
  const bar = document.querySelector(".decision-bar");
  if (bar) {
    const box = bar.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight + 1) faults.push(`the bar is at ${box.top} to ${box.bottom}`);
  }
  const clipped = (element, panel) => {
    for (let at = element; at !== panel; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== "visible" || at.matches(".visually-hidden")) return true;
    }
    return false;
  };
  for (const panel of document.querySelectorAll(".card, .play, .decision-bar")) {
    const { left, right } = panel.getBoundingClientRect();
    if (left === right) continue;  // its parts stand in others
    const style = getComputedStyle(panel);
    const inner = right - parseFloat(style.paddingRight);
    const margin = parseFloat(style.borderLeftWidth) ? 4 : -1;  // none inside what has no frame
    const words = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const text = words.currentNode;
      if (!text.data.trim() || clipped(text.parentElement, panel)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) {
        if (!box.width || (box.left > left + margin && box.right < right - margin)) continue;
        faults.push(`at the border of its panel: ${text.data.trim()}`);
      }
    }
    for (const cell of panel.querySelectorAll("th, td, .tile")) {
      if (clipped(cell, panel) || !cell.offsetParent) continue;
      const words = cell.textContent.trim().replace(/\\s+/g, " ");
      if (cell.getBoundingClientRect().right > inner) faults.push(`beyond its panel's margin: ${words}`);
      if (cell.scrollWidth > cell.clientWidth + 1) faults.push(`broader than its cell: ${words}`);
    }
  }
  return faults;
}"""

# A form that is being sent is drawn paler until the answer is there; colours fade when the scheme changes.
SERIOUS = """async () => {
  while (document.querySelector(".htmx-request")) await new Promise((again) => setTimeout(again, 20));
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  const { violations } = await axe.run({ resultTypes: ["violations"] });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(
    ({ id, nodes }) => `${id}: ${nodes.slice(0, 5).map(({ html }) => html).join(" | ")}`);
}"""
