// Steps through a game review: keys, buttons, list and chart. Without a script all of them are links.
// Each moment is requested by its number, so that every one of several quick steps counts.
(() => {
  const moment = document.getElementById("moment");
  const stage = () => moment?.querySelector("[data-at]");
  if (!stage()) return;

  const side = () => document.getElementById("review-side");
  const rows = () => [...side().querySelectorAll(".review-moves a[data-to]")];
  const address = (number) => `${stage().dataset.review}${number}/`;

  let wanted = Number(stage().dataset.at);
  let asking = false; // a request is under way
  let quietly = false; // replace the address, do not add to the history

  function go(number, { quiet = false } = {}) {
    if (number === wanted) return;
    wanted = number;
    quietly = quiet;
    if (!asking) ask();
  }

  // One request at a time: what was wanted meanwhile comes next.
  function ask() {
    const number = wanted;
    asking = true;
    const answer = window.htmx.ajax("GET", address(number), { source: moment, target: moment, swap: "innerHTML" });
    answer.catch(() => {}).finally(() => {
      asking = false;
      if (wanted === number) wanted = Number(stage().dataset.at);
      else ask();
    });
  }

  // Steps from the moment that is wanted, which may be ahead of the one shown.
  function step(by) {
    const numbers = [0, ...rows().map((row) => Number(row.dataset.to))];
    const here = numbers.findLastIndex((number) => number <= wanted);
    go(numbers[Math.max(0, Math.min(here + by, numbers.length - 1))]);
  }

  // ---- what is beside the board -----------------------------------------------------------------------------------

  function mark() {
    const { at, x } = stage().dataset;
    for (const row of rows()) {
      const isCurrent = row.dataset.to === at;
      row.parentElement.classList.toggle("current", isCurrent);
      if (isCurrent) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      if (isCurrent) show(row);
    }
    const line = side().querySelector(".chance-chart .now");
    line?.setAttribute("x1", x);
    line?.setAttribute("x2", x);
    if (side().hasAttribute("hx-get")) {
      side().setAttribute("hx-get", `${stage().dataset.review}?at=${at}`);
      window.htmx.process(side());
    }
  }

  // Scroll the list, but not the page.
  function show(row) {
    const list = row.closest("ol");
    const top = row.parentElement.offsetTop;
    if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - (list.clientHeight - row.offsetHeight) / 2;
    }
  }

  // ---- input ------------------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    const link = event.target.closest(".review a[data-to]");
    if (link) {
      event.preventDefault();
      go(Number(link.dataset.to));
      return;
    }
    const chart = event.target.closest(".chance-chart");
    if (!chart) return;
    const { left, width } = chart.getBoundingClientRect();
    const all = rows();
    go(Number(all[Math.min(all.length - 1, Math.floor((all.length * (event.clientX - left)) / width))].dataset.to));
  });

  const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Fields, the list and the board use these keys themselves.
    if (event.target.closest("input, select, textarea, [contenteditable], .board, .sideways")) return;
    if (!(event.key in keys)) return;
    event.preventDefault();
    step(keys[event.key]);
  });

  // ---- responses --------------------------------------------------------------------------------------------------

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === moment) {
      document.getElementById("announce").textContent = stage().dataset.announce;
      if (location.pathname !== address(stage().dataset.at)) {
        history[quietly ? "replaceState" : "pushState"](null, "", address(stage().dataset.at));
      }
      mark();
    }
  });

  // The list has grown marks: it keeps its place, and the moment shown may have been assessed.
  let scrolled = 0;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "review-side") scrolled = side().querySelector(".review-moves ol").scrollTop;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.elt.id !== "review-side") return;
    side().querySelector(".review-moves ol").scrollTop = scrolled;
    mark();
    const row = rows().find((one) => one.dataset.to === stage().dataset.at);
    if (row?.hasAttribute("data-rated") && !stage().hasAttribute("data-rated") && !asking) ask();
  });

  window.addEventListener("popstate", () => {
    const number = /\/(\d+)\/$/.exec(location.pathname);
    if (number) go(Number(number[1]), { quiet: true });
    else location.reload();
  });

  mark();
})();
