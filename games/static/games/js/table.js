// The table: arrow keys on the board, choosing a tile, number fields with legal values only, and a button that says
// what it will do. It knows no rules: all legal moves come from the server, with their texts.
(() => {
  const table = document.getElementById("table");
  if (!table) return;

  let lastCell = ""; // the tab stop of the board
  let focused = ""; // what had the focus before the swap
  const opened = new Set(); // open rows of the stocks
  let asked = null; // the move that the button asks to confirm, and since when
  let askedAt = 0;

  const form = () => table.querySelector("form[data-choices]");
  const choices = new WeakMap();

  // ---- moves --------------------------------------------------------------------------------------------------------

  function answersOf(decision) {
    if (!choices.has(decision)) choices.set(decision, JSON.parse(decision.dataset.choices));
    return choices.get(decision);
  }

  function fieldsOf(decision) {
    return decision.dataset.fields.split(" ");
  }

  function valueOf(decision, name) {
    const field = decision.elements[name];
    if (!field) return "";
    if (field instanceof RadioNodeList) return field.value;
    if (field.type === "checkbox" || field.type === "radio") return field.checked ? field.value : "";
    return field.type === "number" ? String(Number(field.value)) : field.value;
  }

  function keyOf(decision, changes = {}) {
    return fieldsOf(decision).map((name) => (name in changes ? String(changes[name]) : valueOf(decision, name))).join(",");
  }

  // The legal move nearest to the wanted values, with one field fixed.
  function nearest(decision, name, value) {
    const names = fieldsOf(decision);
    const at = names.indexOf(name);
    const now = names.map((field) => Number(valueOf(decision, field)) || 0);
    let best = null;
    let least = Infinity;
    for (const key of Object.keys(answersOf(decision))) {
      const values = key.split(",");
      if (values[at] !== String(value)) continue;
      const far = values.reduce((sum, one, i) => sum + Math.abs(Number(one) - now[i]), 0);
      if (far < least) { least = far; best = values; }
    }
    return best;
  }

  function numberFields(decision) {
    return [...decision.elements].filter((field) => field.type === "number");
  }

  function label() {
    const decision = form();
    if (!decision) return;
    const answer = answersOf(decision)[keyOf(decision)];
    if (asked !== keyOf(decision)) asked = null;
    const go = table.querySelector("[data-go]");
    const note = table.querySelector("[data-note]");
    if (go) {
      go.textContent = asked !== null ? question(decision) : answer ? answer.label : go.dataset.ask;
      go.disabled = !answer;
    }
    const goNext = table.querySelector("[data-go-next]");
    if (goNext) goNext.disabled = !answer;
    if (note) note.textContent = answer ? answer.note || "" : note.dataset.ask || "";
    for (const field of numberFields(decision)) {
      const value = Number(field.value);
      for (const button of table.querySelectorAll(`[data-step][data-for="${field.id}"]`)) {
        button.disabled = reachable(decision, field, value + Number(button.dataset.step)) === null;
      }
      const slider = table.querySelector(`input[type=range][data-for="${field.id}"]`);
      if (slider) slider.value = value;
    }
    for (const output of table.querySelectorAll("[data-shows]")) {
      output.textContent = answer ? answer[output.dataset.shows] ?? "" : "";
    }
  }

  // ---- confirming a move, for those who want that -------------------------------------------------------------------

  const DOUBLE_CLICK = 500;

  function question(decision) {
    const answer = answersOf(decision)[keyOf(decision)];
    return decision.dataset.question.replace("{tile}", keyOf(decision)).replace("{answer}", answer ? answer.label : "");
  }

  // Runs before htmx: the first press asks, the second one sends, unless it belongs to a double click.
  table.addEventListener("submit", (event) => {
    const decision = event.target;
    if (!("question" in decision.dataset)) return;
    if (asked === keyOf(decision) && Date.now() - askedAt > DOUBLE_CLICK) {
      decision.elements.sure.value = "1";
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (asked === null) askedAt = Date.now(); // a press too soon does not restart the time
    asked = keyOf(decision);
    label();
    say(question(decision));
  }, true);

  function say(news) {
    const voice = document.getElementById("announce");
    if (voice && voice.textContent !== news) voice.textContent = news;
  }

  // The values of the form if this field became `value`; null if no legal move has it.
  function reachable(decision, field, value) {
    if (keyOf(decision, { [field.name]: value }) in answersOf(decision)) return { [field.name]: value };
    if (!("adjust" in decision.dataset)) return null;
    const values = nearest(decision, field.name, value);
    return values && Object.fromEntries(fieldsOf(decision).map((name, i) => [name, values[i]]));
  }

  function setNumber(field, value) {
    const decision = form();
    const values = decision && reachable(decision, field, value);
    if (values) for (const [name, one] of Object.entries(values)) decision.elements[name].value = one;
    label();
    return values !== null;
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (!button) return;
    const field = document.getElementById(button.dataset.for);
    setNumber(field, Number(field.value) + Number(button.dataset.step));
  });

  table.addEventListener("input", (event) => {
    const input = event.target;
    if (input.type === "range" && input.dataset.for) {
      const field = document.getElementById(input.dataset.for);
      setNumber(field, Number(input.value));
    } else if (input.form && input.form === form()) {
      label();
      if (input.type === "radio") chosen(input.value);
    }
  });

  // Correct a typed number to the nearest legal one.
  table.addEventListener("change", (event) => {
    const input = event.target;
    const decision = form();
    if (input.type !== "number" || !decision || input.form !== decision) return;
    if (keyOf(decision) in answersOf(decision)) return;
    let value = Math.min(Math.max(Math.trunc(Number(input.value)) || 0, Number(input.min) || 0), Number(input.max) || 0);
    while (value > 0 && reachable(decision, input, value) === null) value -= 1;
    setNumber(input, value);
  });

  // ---- choosing a tile ----------------------------------------------------------------------------------------------

  function chosen(value) {
    for (const square of table.querySelectorAll(".board [data-choose]")) {
      square.setAttribute("aria-pressed", String(square.dataset.choose === value));
    }
    for (const preview of table.querySelectorAll("details[data-preview]")) {
      preview.open = preview.dataset.preview === value;
    }
  }

  table.addEventListener("click", (event) => {
    const square = event.target.closest(".board [data-choose]");
    const decision = form();
    if (!square || !decision) return;
    const radio = decision.querySelector(`input[value="${square.dataset.choose}"]`)
      || table.querySelector(`input[type=radio][form="${decision.id}"][value="${square.dataset.choose}"]`);
    const field = decision.querySelector("input[data-chosen]"); // if any square can be chosen
    if (!radio && !field) return;
    event.preventDefault(); // without a script the square itself places the tile
    if (field) field.value = square.dataset.choose;
    else radio.checked = true;
    label();
    chosen(square.dataset.choose);
  });

  // ---- advice of a bot ----------------------------------------------------------------------------------------------

  // Fill in the form without sending it. Several radio buttons with one name are one field.
  function fill(decision, name, value) {
    const field = decision.elements[name];
    if (field instanceof RadioNodeList) field.value = value;
    else if (field.type === "checkbox" || field.type === "radio") field.checked = field.value === value;
    else field.value = value;
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fill]");
    const decision = form();
    if (!button || !decision) return;
    const values = button.dataset.fill.split(",");
    fieldsOf(decision).forEach((name, at) => fill(decision, name, values[at]));
    label();
    if (values.length === 1) chosen(values[0]);
    const go = table.querySelector("[data-go]");
    if (go) say(go.textContent);
  });

  // ---- the board under the keyboard ---------------------------------------------------------------------------------

  const cellAt = (column, row) => table.querySelector(`.board [data-column="${column}"][data-row="${row}"]`);

  function tabStop(cell) {
    for (const other of table.querySelectorAll(".board .square[tabindex='0']")) other.tabIndex = -1;
    cell.tabIndex = 0;
    lastCell = cell.id;
  }

  table.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".board .square");
    if (!cell || event.altKey || event.metaKey) return;
    const column = Number(cell.dataset.column);
    const row = Number(cell.dataset.row);
    const board = cell.closest(".board");
    const columns = Number(board.dataset.columns);
    const rows = Number(board.dataset.rows);
    let to;
    if (event.key === "ArrowLeft") to = [column - 1, row];
    else if (event.key === "ArrowRight") to = [column + 1, row];
    else if (event.key === "ArrowUp") to = [column, row - 1];
    else if (event.key === "ArrowDown") to = [column, row + 1];
    else if (event.key === "Home") to = [0, event.ctrlKey ? 0 : row];
    else if (event.key === "End") to = [columns - 1, event.ctrlKey ? rows - 1 : row];
    else return;
    event.preventDefault();
    const next = cellAt(...to);
    if (next) { tabStop(next); next.focus(); }
  });

  table.addEventListener("focusin", (event) => {
    const cell = event.target.closest(".board .square");
    if (cell) tabStop(cell);
  });

  // ---- the stocks on a narrow screen --------------------------------------------------------------------------------

  function unfold(button, open) {
    const row = button.closest("tr");
    row.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
    if (open) opened.add(row.id); else opened.delete(row.id);
  }

  table.addEventListener("click", (event) => {
    const row = event.target.closest(".market tbody tr");
    if (!row || event.target.closest(".number-stepper")) return;
    const button = row.querySelector("button[aria-expanded]");
    if (button) unfold(button, button.getAttribute("aria-expanded") !== "true");
  });

  // ---- swaps --------------------------------------------------------------------------------------------------------

  function settle() {
    asked = null;
    const cell = lastCell && document.getElementById(lastCell);
    if (cell) tabStop(cell);
    for (const id of opened) {
      const button = document.getElementById(id)?.querySelector("button[aria-expanded]");
      if (button) unfold(button, true);
    }
    const decision = form();
    if (decision) {
      const radio = table.querySelector(`input[type=radio][form="${decision.id}"]:checked, form input[type=radio]:checked`);
      if (radio) chosen(radio.value);
    }
    label();
    // A half-written order survives the swap; its preview is updated.
    for (const said of table.querySelectorAll("details[open] .order-said")) said.dispatchEvent(new Event("order:look"));
  }

  function rememberFocus() {
    const active = document.activeElement;
    focused = table.contains(active) ? active.id || "headline" : "";
  }

  // A button that is disabled while its form is sent loses the focus, so remember the focus before that.
  table.addEventListener("htmx:configRequest", () => {
    if (!table.querySelector("form.htmx-request")) rememberFocus();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === table && document.activeElement !== document.body) rememberFocus();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== table) return;
    settle();
    if (focused && !table.contains(document.activeElement)) {
      // Never the button: a second press of Enter would answer an unread question.
      const where = document.getElementById(focused) || document.getElementById("headline");
      // After the reader's own move, scroll headline and board into view for the next decision.
      const mine = event.detail.requestConfig.verb !== "get";
      if (where) where.focus({ preventScroll: !mine });
    }
    const news = table.querySelector("[data-announce]");
    if (news) say(news.dataset.announce);
  });

  settle();
})();
