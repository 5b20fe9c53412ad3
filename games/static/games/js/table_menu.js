// The menu of a table: it outlives a swap, and closes when it has been used or left.
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const menu = () => document.getElementById("table-menu");
  let open = false; // before a swap

  function close() {
    if (menu()) menu().open = false;
  }

  document.addEventListener("click", ({ target }) => {
    if (!target.closest("#table-menu") || target.closest("#table-menu [popovertarget]")) close();
  });

  // One press closes one thing: first what is open above the menu, and no choice is cleared with it.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if (!menu()?.open || document.querySelector(":popover-open")) return;
    event.preventDefault();
    const inside = event.target.closest("#table-menu");
    close();
    if (inside) document.getElementById("table-menu-button").focus();
  });

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target === table) open = menu()?.open ?? false;
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target === table && menu()) menu().open = open;
  });
})();
