// The panel on missed moves. When it closes, the headline gets the focus.
document.addEventListener("close", ({ target }) => {
  if (target.matches(".while-away")) document.getElementById("headline").focus({ preventScroll: true });
}, true);
document.addEventListener("keydown", (event) => {
  const panel = event.key === "Escape" && event.target.closest("dialog.while-away");
  if (!panel) return;
  event.preventDefault();
  panel.close();
});
