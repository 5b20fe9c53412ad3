// The form for a planned turn: shows the fields that the chosen tile needs, and keeps what the reader has entered when
// the table is updated. Without a script it shows all fields. It is loaded when the form is unfolded; see table.js.
(() => {
  const table = document.getElementById("table");
  if (!table) return;

  let draft = null; // what was entered but not sent, by field, during a swap
  let written = false; // whether anything was entered
  let unfolded = false; // whether the reader has unfolded the form

  const form = () => document.getElementById("plan-form");
  const fold = () => document.getElementById("plan");

  // Hidden fields are not sent.
  function show(line, wanted) {
    line.hidden = !wanted;
    for (const field of line.querySelectorAll("select")) field.disabled = !wanted;
  }

  function update() {
    const plan = form();
    if (!plan) return;
    const tile = plan.elements.tile;
    const calls = tile && tile.value ? tile.selectedOptions[0].dataset.calls.split(" ") : [];
    for (const line of plan.querySelectorAll("[data-called]")) show(line, !tile || calls.includes(line.dataset.called));
    let wished = true; // offer the next wish once the one before it is filled
    for (const line of plan.querySelectorAll("[data-wish]")) {
      const filled = [...line.querySelectorAll("select")].some((field) => field.value);
      show(line, wished || filled);
      wished = filled;
    }
  }

  function restore(plan) {
    for (const field of plan.elements) {
      if (!field.name || field.name === "csrfmiddlewaretoken") continue;
      if (field.type === "checkbox") field.checked = draft.has(field.name);
      else if (draft.has(field.name)) field.value = draft.get(field.name);
      // Skip a tile or a chain that cannot be chosen any more.
      if (field.selectedIndex === -1) field.value = "";
    }
  }

  table.addEventListener("input", (event) => {
    if (event.target.form !== form()) return;
    written = true;
    update();
  });

  function turned() {
    unfolded = fold().open;
    // The tile chosen for the next step is also the one for the whole turn.
    const tile = form().elements.tile;
    const chosen = table.querySelector(".hand input[name=tile]:checked");
    if (tile && chosen && !tile.value) tile.value = chosen.value;
    update();
  }

  table.addEventListener("toggle", ({ target }) => { if (target === fold()) turned(); }, true);

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== table) return;
    const plan = form();
    if (plan && event.detail.requestConfig.elt === plan) {
      // The response to the form itself: saved, or shown again with errors.
      written = false;
      unfolded = false;
    }
    draft = plan && written ? new FormData(plan) : null;
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== table) return;
    const plan = form();
    if (plan && draft) restore(plan);
    if (!plan) written = false;
    if (fold() && unfolded) fold().open = true;
    update();
  });

  if (fold()) turned();
})();
