// Single keys at a table. A control names its own key in data-shortcut, and a key does what a click on it would: it
// chooses, but no button that sends a move has one. People who speak to their device can switch the keys off.
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const NAME = "table-keys";

  // The legend may be part of what is swapped, so that it is another one after each swap.
  const legend = () => document.getElementById("legend");
  const wanted = () => { try { return localStorage.getItem(NAME) !== "off"; } catch { return true; } };
  let on = wanted();

  // Tell the reader of keys only where and while they work.
  function update() {
    for (const box of document.querySelectorAll("[data-keys]")) box.checked = on;
    for (const control of table.querySelectorAll("[data-shortcut]")) {
      control.ariaKeyShortcuts = on ? control.dataset.shortcut : null;
    }
  }

  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-keys]")) return;
    on = target.checked;
    try { localStorage.setItem(NAME, on ? "on" : "off"); } catch { /* then the choice lasts for this page */ }
    update();
  });
  document.addEventListener("htmx:afterSwap", update);
  document.addEventListener("htmx:oobAfterSwap", update);
  update();

  const isTyping = ({ target }) => target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");

  // The control of this key: one in sight, else one of the decision, whose panel is then shown.
  function controlOf(key) {
    const named = [...table.querySelectorAll("[data-shortcut]")].filter((one) => one.dataset.shortcut === key);
    const inSight = named.find((one) => one.checkVisibility());
    if (inSight) return inSight;
    const hidden = named.find((one) => one.matches("[data-step], [form=decision]"));
    if (hidden) document.dispatchEvent(new CustomEvent("table:asked"));
    return hidden;
  }

  // Return whether there was a choice to clear.
  const clear = () => !document.dispatchEvent(new CustomEvent("table:clear", { cancelable: true }));

  function showKeys() {
    if (!legend()) return false;
    legend().togglePopover();
    document.getElementById("legend-keys")?.scrollIntoView();
    return true;
  }

  function press(key, shift) {
    if (key === "?") return showKeys();
    if (legend()?.matches(":popover-open")) return false;
    if (key === "Escape") return clear();
    const control = controlOf(shift && /^[a-z]$/i.test(key) ? `Shift+${key.toUpperCase()}` : key.toUpperCase())
      ?? (key.toUpperCase() === "J" && !shift ? document.querySelector("#waiting a") : null);
    control?.click();
    return Boolean(control);
  }

  document.addEventListener("keydown", (event) => {
    if (!on || event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event)) return;
    if (event.key.length > 1 && event.key !== "Escape") return;
    if (!press(event.key, event.shiftKey)) return;
    event.preventDefault();
    const go = table.querySelector("[data-go]");
    const voice = document.getElementById("announce");
    if (go && voice && event.key !== "?") voice.textContent = go.textContent;
  });
})();
