// The form for a turn planned ahead: it shows what the chosen tile calls for, and what is being written into it stays
// when news of the game come meanwhile. Without a script everything is shown.
(() => {
  const table = document.getElementById("table");
  if (!table) return;

  let draft = null; // what was written and not sent, by field, while the table is swapped
  let written = false; // whether anything was
  let unfolded = false; // whether the reader has unfolded the form

  const form = () => document.getElementById("plan-form");
  const fold = () => document.getElementById("plan");

  // What is not shown is not sent either.
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
    let wished = true; // a further wish is offered once there is one before it
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
      // A tile or a chain that cannot be chosen any more is left open.
      if (field.selectedIndex === -1) field.value = "";
    }
  }

  table.addEventListener("input", (event) => {
    if (event.target.form !== form()) return;
    written = true;
    update();
  });

  table.addEventListener("toggle", (event) => {
    if (event.target !== fold()) return;
    unfolded = event.target.open;
    // Whoever has chosen a tile for the next step means the same one for the whole turn.
    const tile = form().elements.tile;
    const chosen = table.querySelector(".hand input[name=tile]:checked");
    if (tile && chosen && !tile.value) tile.value = chosen.value;
    update();
  }, true);

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== table) return;
    const plan = form();
    if (plan && event.detail.requestConfig.elt === plan) {
      // The answer to the form itself: kept, or shown again with what was wrong.
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

  update();
})();
