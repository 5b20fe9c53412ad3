// Times as the reader's own clock has them, or one in the time zone that was chosen in the settings; the absolute
// time, with its zone, is in the title.
(() => {
  const { timeZone } = document.documentElement.dataset;
  const local = (format) => {
    try {
      return new Intl.DateTimeFormat(document.documentElement.lang, { ...format, timeZone });
    } catch { // a zone that this browser has not heard of
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
