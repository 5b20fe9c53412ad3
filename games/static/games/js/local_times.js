// Shows times in the time zone of the browser, or the one chosen in the settings. The title has the absolute time with
// its zone.
(() => {
  const { timeZone } = document.documentElement.dataset;
  const local = (format) => {
    try {
      return new Intl.DateTimeFormat(document.documentElement.lang, { ...format, timeZone });
    } catch { // a zone that this browser does not know
      return new Intl.DateTimeFormat(document.documentElement.lang, format);
    }
  };
  const formats = {
    weekday: { weekday: "long", hour: "numeric", minute: "2-digit" },
    short: { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" },
  };
  const whole = local({ dateStyle: "full", timeStyle: "long" });

  function show(root) {
    for (const time of root.querySelectorAll("time[data-local]")) {
      const moment = new Date(time.dateTime);
      if (Number.isNaN(moment.getTime())) continue;
      if (time.dataset.local in formats) time.textContent = local(formats[time.dataset.local]).format(moment);
      time.title = whole.format(moment);
    }
  }

  show(document);
  document.addEventListener("htmx:afterSwap", (event) => show(event.detail.target));
})();
