// The table: arrow keys on the board, choosing a tile, number fields with legal values only, and a button that says
// what it will do. It knows no rules: all legal moves come from the server, with their texts.
(() => {
  const table = document.getElementById("table");
  if (!table) return;

  const REACH = 22; // px from the middle of a square
  let lastCell = ""; // the tab stop of the board
  let focused = ""; // what had the focus before the swap
  const opened = new Set(); // open rows of the stocks
  let away = false; // whether another panel is shown than that of the decision; see panel_tabs.js
  let asked = null; // the move that a button asks to confirm, and what the form was then
  let draft = null; // what was chosen but not sent, during a swap
  let sender = null; // what had the focus when a form was sent
  let refused = null; // the answer that a lesson has refused

  const form = () => table.querySelector("form[data-choices]");
  const choices = new WeakMap();

  // -- moves

  function answersOf(decision) {
    if (!choices.has(decision)) choices.set(decision, JSON.parse(decision.dataset.choices));
    return choices.get(decision);
  }

  const fieldsOf = (decision) => decision.dataset.fields.split(" ");

  const headline = () => document.getElementById("headline");
  const isTicked = (field) => field.type === "radio" || field.type === "checkbox";

  function valueOf(decision, name) {
    const field = decision.elements[name];
    if (!field) return "";
    if (field instanceof RadioNodeList) return field.value;
    if (isTicked(field)) return field.checked ? field.value : "";
    return field.type === "number" ? String(Number(field.value)) : field.value;
  }

  // The key of the fields, some of them changed.
  const fieldKey = (decision, changes = {}) => fieldsOf(decision)
    .map((name) => (name in changes ? String(changes[name]) : valueOf(decision, name))).join(",");

  // Radio buttons that each are a whole answer, or leave it to the fields.
  const wholeAnswers = (decision) => [...decision.elements].filter((field) => "key" in field.dataset);

  // The key of the chosen answer, null if nothing is chosen. Doing nothing is chosen by a control of its own.
  function keyOf(decision) {
    const whole = wholeAnswers(decision);
    const picked = whole.find((radio) => radio.checked);
    if (picked?.value) return picked.dataset.key;
    if (whole.length && !picked) return null;
    const numbers = numberFields(decision);
    return numbers.length && numbers.every((field) => !Number(field.value)) ? null : fieldKey(decision);
  }

  const nothingKey = (decision) => fieldKey(decision, Object.fromEntries(numberFields(decision).map(({ name }) => [name, 0])));

  // The legal move nearest to the wanted values, with one field fixed.
  function nearest(decision, name, value) {
    const names = fieldsOf(decision);
    const now = names.map((field) => Number(valueOf(decision, field)) || 0);
    const far = (values) => values.reduce((sum, one, i) => sum + Math.abs(Number(one) - now[i]), 0);
    const fitting = Object.keys(answersOf(decision)).map((key) => key.split(","))
      .filter((values) => values[names.indexOf(name)] === String(value));
    return fitting.sort((one, other) => far(one) - far(other))[0] ?? null;
  }

  const numberFields = (decision) => [...decision.elements].filter((field) => field.type === "number");

  function label() {
    const decision = form();
    if (!decision) return;
    const answer = answersOf(decision)[keyOf(decision)];
    if (asked && asked.among !== formState(decision)) asked = null;
    if (refused && refused !== formState(decision)) forgive();
    const go = table.querySelector("[data-go]");
    const note = table.querySelector("[data-note]");
    if (go) {
      go.textContent = asked?.key === keyOf(decision) ? question(decision, asked.key) : answer ? answer.label : go.dataset.ask;
      // Where nothing can be chosen the button leads to what is asked.
      go.disabled = !answer && !away;
      go.toggleAttribute("data-leads", !answer && away);
      go.dataset.leaves = answer?.note || "";
      go.classList.toggle("long", go.textContent.length > 32);
    }
    const nothing = table.querySelector("[data-nothing]");
    if (nothing) {
      const key = nothingKey(decision);
      nothing.textContent = asked?.key === key ? question(decision, key) : answersOf(decision)[key].label;
    }
    const goNext = table.querySelector("[data-go-next]");
    if (goNext) goNext.disabled = !answer;
    if (note) note.textContent = answer ? answer.note || "" : note.dataset.ask || "";
    for (const told of table.querySelectorAll("[data-outcome]")) {
      told.toggleAttribute("hidden", told.dataset.outcome !== keyOf(decision));
    }
    for (const field of numberFields(decision)) {
      const value = Number(field.value);
      for (const button of table.querySelectorAll(`[data-step][data-for="${field.id}"]`)) {
        button.disabled = reachable(decision, field, value + Number(button.dataset.step)) === null;
      }
    }
    for (const words of table.querySelectorAll("[data-standings]")) {
      const field = document.getElementById(words.dataset.for);
      words.textContent = JSON.parse(words.dataset.standings)[Number(field.value)] ?? "";
    }
    for (const output of table.querySelectorAll("[data-shows]")) {
      output.textContent = answersOf(decision)[fieldKey(decision)]?.[output.dataset.shows] ?? "";
    }
  }

  // -- sending, and confirming for those who want that

  let disarmed = 0; // the timer that wakes the buttons

  function wakingTime() {
    const time = getComputedStyle(document.documentElement).getPropertyValue("--d-4");
    return parseFloat(time) * (time.trim().endsWith("ms") ? 1 : 1000);
  }

  // A change that its player did not make is read before it is answered: for a moment the button only looks as if it
  // were waking. It keeps the focus, so it is not `disabled`.
  function disarm() {
    clearTimeout(disarmed);
    table.classList.add("waking");
    disarmed = setTimeout(() => {
      disarmed = 0;
      table.classList.remove("waking");
    }, wakingTime());
  }

  function question(decision, key) {
    const answer = answersOf(decision)[key];
    return answer?.question ?? decision.dataset.question.replace("{tile}", key).replace("{answer}", answer?.label ?? "");
  }

  const formState = (decision) => `${keyOf(decision)} ${fieldKey(decision)}`;

  // Another choice is not refused yet: what the step asks stands there again.
  function forgive() {
    refused = null;
    table.querySelector("[data-refusal]").remove();
    table.querySelector("[data-refused]").hidden = false;
  }

  // True if the press does not send: it came too early, or it only asks for a second one.
  function holdsBack(decision, pressed) {
    if (disarmed) return true;
    if (!decision.elements.sure) return false;
    const key = pressed && "nothing" in pressed.dataset ? nothingKey(decision) : keyOf(decision);
    if (!("question" in decision.dataset || answersOf(decision)[key]?.question)) return false;
    if (asked?.key === key) {
      decision.elements.sure.value = "1";
      return false;
    }
    asked = { key, among: formState(decision) };
    label();
    say(question(decision, key));
    disarm(); // a double click is one press
    return true;
  }

  // Runs before htmx, for clicks and for Enter.
  table.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-arms]") || !holdsBack(event.target, event.submitter)) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // Before the browser asks for the field that is missing, which is not shown.
  table.addEventListener("click", (event) => {
    if (!event.target.closest("[data-leads]")) return;
    event.preventDefault();
    document.dispatchEvent(new CustomEvent("table:asked"));
  });
  document.addEventListener("table:away", ({ detail }) => {
    away = detail;
    label();
  });

  function say(news) {
    const voice = document.getElementById("announce");
    if (voice && voice.textContent !== news) voice.textContent = news;
  }

  // The values of the form if this field became `value`; null if no legal move has it.
  function reachable(decision, field, value) {
    if (fieldKey(decision, { [field.name]: value }) in answersOf(decision)) return { [field.name]: value };
    if (!("adjust" in decision.dataset)) return null;
    const values = nearest(decision, field.name, value);
    return values && Object.fromEntries(fieldsOf(decision).map((name, i) => [name, values[i]]));
  }

  function setNumber(field, value) {
    const decision = form();
    const values = decision && reachable(decision, field, value);
    if (values) for (const [name, one] of Object.entries(values)) decision.elements[name].value = Number(one) || ""; // 0 is the placeholder
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
    if (input.form && input.form === form()) {
      label();
      if (input.type === "radio") chosen(input.value);
    }
  });

  // Correct a typed number to the nearest legal one.
  table.addEventListener("change", (event) => {
    const input = event.target;
    const decision = form();
    if (input.type !== "number" || !decision || input.form !== decision) return;
    if (fieldKey(decision) in answersOf(decision)) return;
    let value = Math.min(Math.max(Math.trunc(Number(input.value)) || 0, Number(input.min) || 0), Number(input.max) || 0);
    while (value > 0 && reachable(decision, input, value) === null) value -= 1;
    setNumber(input, value);
  });

  // -- choosing a tile

  function chosen(value) {
    for (const square of table.querySelectorAll(".board [data-choose]")) {
      square.setAttribute("aria-pressed", String(square.dataset.choose === value));
    }
    for (const preview of table.querySelectorAll("details[data-preview]")) {
      preview.open = preview.dataset.preview === value;
    }
  }

  // A tap counts for the nearest square that can be chosen: on a phone squares are smaller than a thumb.
  function squareAt({ target, detail, clientX, clientY }) {
    const hit = target.closest(".board [data-choose]");
    if (hit || !detail) return hit; // a key has no place
    let nearest = null;
    let least = REACH;
    for (const square of target.closest(".board")?.querySelectorAll("[data-choose]") ?? []) {
      const { left, top, width, height } = square.getBoundingClientRect();
      const far = Math.hypot(clientX - left - width / 2, clientY - top - height / 2);
      if (far <= least) { least = far; nearest = square; }
    }
    return nearest;
  }

  table.addEventListener("click", (event) => {
    const square = squareAt(event);
    const decision = form();
    if (!square || !decision) return;
    const radio = [...decision.elements].find(({ type, value }) => type === "radio" && value === square.dataset.choose);
    const field = decision.querySelector("input[data-chosen]"); // if any square can be chosen
    if (!radio && !field) return;
    event.preventDefault(); // without a script the square itself places the tile
    if (field) field.value = square.dataset.choose;
    else radio.checked = true;
    label();
    chosen(square.dataset.choose);
  });

  const chosenFields = (decision) => [...decision?.elements ?? []].filter((field) => (
    isTicked(field) ? field.checked : field.value !== "" && (field.type === "number" || "chosen" in field.dataset)));

  function clear(fields) {
    for (const field of fields) {
      if (isTicked(field)) field.checked = false;
      else field.value = "";
    }
  }

  document.addEventListener("table:clear", (event) => {
    const fields = chosenFields(form());
    if (!fields.length) return;
    event.preventDefault(); // says that there was a choice
    clear(fields);
    label();
    chosen("");
  });

  // -- advice of a bot

  // Fill in the form without sending it. Several radio buttons with one name are one field.
  function fill(decision, name, value) {
    const field = decision.elements[name];
    if (!field) return; // a whole answer has no number fields when nothing can be mixed
    if (field instanceof RadioNodeList) for (const one of field) one.checked = one.value === value;
    else if (isTicked(field)) field.checked = field.value === value;
    else field.value = value;
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fill]");
    const decision = form();
    if (!button || !decision) return;
    const key = button.dataset.fill;
    const values = key.split(",");
    const whole = wholeAnswers(decision);
    const radio = whole.find((one) => one.dataset.key === key) ?? whole.find((one) => !one.value);
    if (radio) radio.checked = true;
    fieldsOf(decision).forEach((name, at) => fill(decision, name, values[at]));
    label();
    if (values.length === 1) chosen(values[0]);
    const nothing = table.querySelector("[data-nothing]");
    const go = nothing && key === nothingKey(decision) ? nothing : table.querySelector("[data-go]");
    if (go === nothing) go?.focus(); // it has no field that could show the choice
    if (go) say(go.textContent);
  });

  // -- the board under the keyboard

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

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
    const { columns, rows } = cell.closest(".board").dataset;
    const step = STEPS[event.key];
    let to;
    if (step) to = [column + step[0], row + step[1]];
    else if (event.key === "Home") to = [0, event.ctrlKey ? 0 : row];
    else if (event.key === "End") to = [columns - 1, event.ctrlKey ? rows - 1 : row];
    else return;
    event.preventDefault();
    const next = table.querySelector(`.board [data-column="${to[0]}"][data-row="${to[1]}"]`);
    if (next) { tabStop(next); next.focus(); }
  });

  table.addEventListener("focusin", (event) => {
    const cell = event.target.closest(".board .square");
    if (cell) tabStop(cell);
  });

  // -- the stocks

  function takeMost(field) {
    for (let value = Number(field.max); value > 0; value -= 1) if (setNumber(field, value)) return;
  }

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
    const field = row.querySelector("input[type=number]");
    if (field && !event.target.closest("button")) takeMost(field);
    else if (button) unfold(button, button.getAttribute("aria-expanded") !== "true");
  });

  // Scripts that few readers need are loaded when they do.
  function load(needed, name) {
    const src = table.dataset[name];
    if (!src || !needed) return;
    delete table.dataset[name];
    document.head.append(Object.assign(document.createElement("script"), { src }));
  }
  function loadScripts() {
    load(document.getElementById("plan")?.open, "planScript");
    load(table.querySelector("[data-share]"), "shareScript");
    load(document.querySelector(".while-away"), "awayScript");
  }
  table.addEventListener("toggle", loadScripts, true);
  for (const kind of ["pointerdown", "focusin"]) {
    document.addEventListener(kind, ({ target }) => load(target.id === "attention", "choicesScript"));
  }

  // -- swaps

  function draftOf(decision) {
    const key = keyOf(decision);
    return {
      key,
      kind: decision.elements.kind.value,
      choices: decision.dataset.choices,
      answer: JSON.stringify(answersOf(decision)[key]),
      values: chosenFields(decision).map(({ name, value }) => [name, value]),
    };
  }

  // News from others keeps what was chosen, if the question is still the same or the answer is still offered.
  function restore(decision) {
    const now = JSON.stringify(answersOf(decision)[draft.key]);
    const isSame = draft.choices === decision.dataset.choices || (now && now === draft.answer);
    if (!draft.values.length || draft.kind !== decision.elements.kind.value || !isSame) return;
    clear(chosenFields(decision));
    for (const [name, value] of draft.values) fill(decision, name, value);
  }

  function settle() {
    asked = null;
    refused = form() && table.querySelector("[data-refusal]") ? formState(form()) : null;
    const cell = document.getElementById(lastCell);
    if (cell) tabStop(cell);
    for (const id of opened) {
      const button = document.getElementById(id)?.querySelector("button[aria-expanded]");
      if (button) unfold(button, true);
    }
    const radio = [...form()?.elements ?? []].find(({ type, checked }) => type === "radio" && checked);
    if (radio) chosen(radio.value);
    loadScripts();
    label();
    // A half-written order survives the swap; its preview is updated.
    for (const said of table.querySelectorAll("details[open] .order-said")) said.dispatchEvent(new Event("order:look"));
  }

  // Where headline and board stay in sight, only what scrolls between them and the bar.
  function showDeckFromItsStart() {
    const felt = table.querySelector(".felt");
    if (felt && getComputedStyle(felt).position === "sticky") window.scrollTo({ top: 0 });
  }

  // While an answer is on its way, nothing else can be chosen. The bar is not inert: its button keeps its words.
  function freeze(inert) {
    for (const part of table.querySelectorAll(".board, .deck, #panel-turn, #panel-stocks")) part.inert = inert;
  }
  table.addEventListener("htmx:beforeRequest", ({ target }) => { if (target === form()) freeze(true); });
  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { elt }, successful } }) => {
    if (elt.id === "decision") {
      freeze(false);
      if (document.activeElement === document.body) sender?.focus({ preventScroll: true });
    }
    // A coach mark that was read is gone, and its button with it.
    if (successful && "coach" in elt.dataset) headline().focus({ preventScroll: true });
  });

  function rememberFocus() {
    const active = document.activeElement;
    sender = active;
    focused = table.contains(active) ? active.id || "headline" : "";
  }

  // A button that is disabled while its form is sent loses the focus, so remember the focus before that.
  table.addEventListener("htmx:configRequest", () => {
    if (!table.querySelector("form.htmx-request")) rememberFocus();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target !== table) return;
    draft = form() && draftOf(form());
    if (document.activeElement !== document.body) rememberFocus();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== table) return;
    const sent = event.detail.requestConfig.elt.id === "decision" && !table.querySelector("[data-trouble]:not([hidden])");
    if (draft && form() && !sent) restore(form());
    settle();
    disarm();
    if (focused && !table.contains(document.activeElement)) {
      // Never the button: a second press of Enter would answer an unread question.
      const where = document.getElementById(focused) || headline();
      // After the reader's own move, scroll headline and board into view for the next decision.
      const mine = event.detail.requestConfig.verb !== "get";
      if (where) where.focus({ preventScroll: !mine });
      if (mine) showDeckFromItsStart();
    }
    const news = table.querySelector("[data-announce]");
    if (news) say(news.dataset.announce);
  });

  settle();
  disarm();
})();
