// One socket per page. The server says only "this game is at this version"; the page then asks for its own view of it.
// Nothing is lost when a hint is: the page asks again on connecting, on becoming visible, and now and then.
//
// What follows is marked with data-live, the path of its socket: the count in the header of every page, and one part of
// some pages, whose socket then brings the reader's own ticks too. With data-game it is about that game alone.
(() => {
  const badge = document.querySelector("#waiting[data-live]");
  const part = document.querySelector("main [data-live]");
  const live = part || badge;
  if (!live) return;

  const CALM = 26000; // between questions while the socket is up; with the jitter no page is older than 35 s
  const ALONE = 5000; // and while it is down
  const LONGEST_WAIT = 30000;
  const SPREAD = 500; // not all readers of a list ask at the same moment
  const SETTLED = 2000; // a socket that is open so long hears everything
  const LEAVING = 10000; // a page whose form was sent is left within so long, or stays
  const SEEN = 20000; // a page that is visible says so that often
  const jitter = (wait) => wait * (0.75 + Math.random() / 2);

  let socket = null;
  let wait = 500;
  let question = 0;
  let away = document.hidden;
  let moves = 0; // that are on their way to the server
  let missed = false; // whether news came meanwhile

  function version() {
    const stamp = live.querySelector("[data-version]");
    return stamp ? Number(stamp.dataset.version) : -1;
  }

  function changed() {
    live.dispatchEvent(new CustomEvent("live:changed"));
  }

  // What stands beside a game, its talk, has no version: it asks for itself whenever there may be something.
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
    if (document.hidden) return;
    question = setTimeout(() => {
      changed();
      beside();
      if (badge && live.dataset.game !== undefined) soon(badge); // the part is silent about other games
      askLater();
    }, jitter(up() ? CALM : ALONE));
  }

  // Who has a game before the eyes needs no mail about it.
  let saying = 0;
  function saySeen() {
    clearTimeout(saying);
    if (live.dataset.game === undefined || !up()) return;
    socket.send(JSON.stringify({ visible: !document.hidden }));
    if (!document.hidden) saying = setTimeout(saySeen, SEEN);
  }

  function open() {
    const address = new URL(live.dataset.live, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    let wasUp = false;
    socket.addEventListener("open", () => {
      wasUp = true;
      wait = 500;
      beside();
      changed(); // hints may have come between the making of the page and now
      setTimeout(changed, SETTLED); // and until the server has subscribed to what comes
      saySeen();
      askLater();
    });
    socket.addEventListener("message", (event) => {
      let hint;
      try { hint = JSON.parse(event.data); } catch { return; }
      const known = live.dataset.game === undefined || hint.game === live.dataset.game;
      if (!known) { if (badge) soon(badge); } // another game of the reader's
      else {
        if (!(hint.version <= version())) soon(live);
        if (version() < 0 || hint.version <= version()) beside(); // not a move, so it is something else
      }
    });
    socket.addEventListener("close", () => {
      setTimeout(open, jitter(wait));
      wait = Math.min(wait * 2, LONGEST_WAIT);
      if (wasUp) askLater(); // one more failed attempt must not put the next question off
    });
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && away) changed();
    away = document.hidden;
    saySeen();
    askLater();
  });

  // The page says which version it shows; the answer is empty when there is none newer.
  live.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== live) return;
    if (version() >= 0) event.detail.parameters.after = version();
    if (document.hidden) event.detail.parameters.away = 1; // so that nothing counts as seen
  });

  // While a move is under way its own answer brings the news: nothing may take the form away from under it.
  live.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.elt !== live) moves += 1;
    else if (moves) { missed = true; event.preventDefault(); }
  });
  live.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.elt === live) return;
    moves -= 1;
    if (!moves && missed) { missed = false; changed(); }
  });
  live.addEventListener("htmx:beforeOnLoad", (event) => {
    if (event.detail.requestConfig.elt === live && moves) { missed = true; event.preventDefault(); }
  });
  // A plain form leads to another page: what it changes must not lead there first, which would break it off.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    moves += 1;
    setTimeout(() => {
      moves -= 1;
      if (!moves && missed) { missed = false; changed(); }
    }, LEAVING);
  });
  live.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.elt !== live) return;
    const stamp = /data-version="(\d+)"/.exec(event.detail.serverResponse);
    if (stamp && Number(stamp[1]) <= version()) event.detail.shouldSwap = false;
    if (moves) { missed = true; event.detail.shouldSwap = false; }
  });

  // Title and icon say when it is my turn, also from another tab.
  const icon = document.querySelector("link[rel=icon]");
  const calmIcon = icon && icon.getAttribute("href");
  const calmTitle = document.title.replace(/^● /, "");
  function mark() {
    const mine = [live, badge].some((element) => element && element.querySelector("[data-my-turn], [data-waits]") !== null);
    document.title = (mine ? "● " : "") + calmTitle;
    if (icon && icon.dataset.turn) icon.setAttribute("href", mine ? icon.dataset.turn : calmIcon);
  }
  document.addEventListener("htmx:afterSwap", mark);
  document.addEventListener("htmx:oobAfterSwap", mark);

  mark();
  open();
  askLater();
})();
