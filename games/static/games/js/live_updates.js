// One socket per page. It only says "this game is at version N"; the page then requests its own view of it.
// A lost tick does no harm: the page polls on connecting, when shown, and now and then.
//
// Live elements have data-live, their socket's path: the count in the header of every page, and one part of some
// pages, whose socket then has the reader's own ticks, too. With data-game they are about that game alone.
(() => {
  const badge = document.querySelector("#waiting[data-live]");
  const part = document.querySelector("main [data-live]");
  const live = part || badge;
  if (!live) return;

  const CALM = 26000; // poll interval while the socket is up, so no page is older than 35 s
  const ALONE = 5000; // poll interval while it is down
  const LONGEST_WAIT = 30000;
  const SPREAD = 500; // spreads the requests of all readers of a list
  const SETTLED = 2000; // by then an open socket is subscribed
  const SILENCE = 8000; // without socket and answers nobody sees the game
  const LEAVING = 10000; // by then a browser leaves a page that sent a form, or never
  const SEEN = 20000; // how often visible pages say so
  const ASLEEP = 60000; // awake pages ask
  const jitter = (wait) => wait * (0.75 + Math.random() / 2);

  let socket = null;
  let wait = 500;
  let question = 0;
  let again = 0;
  let asked = Date.now();
  let left = null; // the version shown when the reader went away
  let told = null; // the `left` that the last request has sent
  let silence = 0;
  let moves = 0; // requests with a move under way
  let missed = -1; // a version held back, Infinity if unknown
  let over = false; // logged out or in again in another tab

  function version() {
    const stamp = live.querySelector("[data-version]");
    return stamp ? Number(stamp.dataset.version) : -1;
  }

  // The server tells who comes back what came in between.
  function leave() {
    if (live.dataset.game !== undefined) left ??= version();
  }

  function changed() {
    if (Date.now() - asked > ASLEEP) leave();
    asked = Date.now();
    if (!over) live.dispatchEvent(new CustomEvent("live:changed"));
  }

  // The chat has no version: it is requested when something may be new.
  function beside() {
    document.dispatchEvent(new CustomEvent("live:beside"));
  }

  const coming = new Map();
  function soon(element) {
    if (coming.has(element)) return;
    const delay = element.dataset.game === undefined ? Math.random() * SPREAD : 0;
    coming.set(element, setTimeout(() => {
      coming.delete(element);
      element.dispatchEvent(new CustomEvent("live:changed"));
    }, delay));
  }

  function up() {
    return socket !== null && socket.readyState === WebSocket.OPEN;
  }

  function askLater() {
    clearTimeout(question);
    if (document.hidden || over) return;
    question = setTimeout(() => {
      changed();
      if (!up() || Math.random() < 0.25) { // they have ticks
        beside();
        if (badge && live.dataset.game !== undefined) soon(badge);
      }
      askLater();
    }, jitter(up() ? CALM : ALONE));
  }

  // A reader who looks at a game needs no mail about it.
  let saying = 0;
  function saySeen() {
    clearTimeout(saying);
    if (live.dataset.game === undefined || !up()) return;
    socket.send(JSON.stringify({ visible: !document.hidden }));
    if (!document.hidden) saying = setTimeout(saySeen, SEEN);
  }

  function open() {
    if (over) return;
    const address = new URL(live.dataset.live, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    let wasUp = false;
    socket.addEventListener("open", () => {
      wasUp = true;
      wait = 500;
      clearTimeout(silence);
      beside();
      changed(); // ticks may have come since the page was rendered
      setTimeout(changed, SETTLED); // and before the server has subscribed
      saySeen();
      askLater();
    });
    socket.addEventListener("message", (event) => {
      let hint;
      try { hint = JSON.parse(event.data); } catch { return; }
      const known = live.dataset.game === undefined || hint.game === live.dataset.game;
      if (!known) { if (badge) soon(badge); } // another game of the reader
      else {
        const news = !(hint.version <= version());
        if (moves) missed = Math.max(missed, hint.version);
        else if (news) soon(live);
        if (version() < 0 || !news) beside(); // the chat or the like
      }
    });
    socket.addEventListener("close", () => {
      setTimeout(open, jitter(wait));
      wait = Math.min(wait * 2, LONGEST_WAIT);
      if (!wasUp) return; // another failed attempt must not delay a poll
      silence = setTimeout(leave, SILENCE);
      askLater();
    });
  }

  document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
    // Not all refused pages may return at once.
    if (elt === live && xhr.status === 503) {
      clearTimeout(again);
      again = setTimeout(changed, jitter(1000 * (Number(xhr.getResponseHeader("Retry-After")) || 5)));
    }
    if (xhr.status !== 401) return;
    over = true;
    clearTimeout(question);
    socket.close();
  });

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) leave(); else changed();
    saySeen();
    askLater();
  });

  // The response is empty if no version is newer than the page's.
  live.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== live) return;
    if (version() >= 0) event.detail.parameters.after = version();
    told = document.hidden ? null : left;
    if (told !== null) event.detail.parameters.left = told;
    if (document.hidden) event.detail.parameters.away = 1; // nothing counts as seen
  });
  live.addEventListener("htmx:sendError", leave);

  // While a move is under way only its own response may replace the form. Its tick mostly comes before
  // that response, which answers it, too.
  function release() {
    moves -= 1;
    if (!moves && missed > -1 && !(missed <= version())) changed();
    if (!moves) missed = -1;
  }
  live.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.elt !== live) moves += 1;
    else if (moves) { missed = Infinity; event.preventDefault(); }
  });
  live.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig: { elt }, successful } = event.detail;
    if (successful) clearTimeout(silence);
    if (successful && (elt !== live || (left === told && !moves))) left = null;
    if (elt !== live) release();
  });
  live.addEventListener("htmx:beforeOnLoad", (event) => {
    if (event.detail.requestConfig.elt === live && moves) { missed = Infinity; event.preventDefault(); }
  });
  // A plain form leads to another page; its tick must not navigate first and abort it.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method === "dialog") return;
    moves += 1;
    setTimeout(release, LEAVING);
  });
  live.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.elt !== live) return;
    const stamp = /data-version="(\d+)"/.exec(event.detail.serverResponse);
    if (stamp && Number(stamp[1]) < version() + (left === null)) event.detail.shouldSwap = false;
    if (moves) { missed = Infinity; event.detail.shouldSwap = false; }
  });

  // Title and icon show the reader's turn, the title a mention, also from another tab.
  const icon = document.querySelector("link[rel=icon]");
  const calmIcon = icon && icon.getAttribute("href");
  function mark() {
    const mine = [live, badge].some((element) => element && element.querySelector("[data-my-turn], [data-waits]") !== null);
    const mentioned = document.querySelector("#talk-unread [data-mentions]") !== null;
    document.title = (mine ? "● " : "") + (mentioned ? "@ " : "") + document.title.replace(/^(● )?(@ )?/, "");
    if (icon && icon.dataset.turn) icon.setAttribute("href", mine ? icon.dataset.turn : calmIcon);
  }
  document.addEventListener("htmx:afterSettle", mark);
  document.addEventListener("htmx:oobAfterSwap", mark);

  mark();
  if (document.hidden) leave();
  open();
  askLater();
})();
