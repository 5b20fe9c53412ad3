// Share button: the share sheet of the device, or else the address on the clipboard.
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-share]");
  if (!button) return;
  const { share: url, title, done } = button.dataset;
  try {
    if (navigator.share) await navigator.share({ title, url });
    else {
      await navigator.clipboard.writeText(url);
      button.textContent = done;
    }
  } catch { /* the reader has closed the sheet, or the browser refuses: the address bar has it, too */ }
});
