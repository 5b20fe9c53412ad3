// Copy button: copies the text of a field and confirms it.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done;
  } catch { /* the text stays selected, to be copied by hand */ }
});
