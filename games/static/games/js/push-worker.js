// Runs without a page: shows what the site sends to this browser, and opens the game on a click.
self.addEventListener("push", (event) => {
  let news = {};
  try { news = event.data.json(); } catch { /* an empty message still has to be shown */ }
  event.waitUntil(self.registration.showNotification(news.title || "Acquire", {
    body: news.text || "",
    tag: news.tag || "acquire", // what is told of the same game takes the place of what was told before
    renotify: true,
    data: { url: news.url || "/" },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.url, self.location.origin);
  event.waitUntil((async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = pages.find((page) => new URL(page.url).pathname === address.pathname);
    if (open) return open.focus();
    return self.clients.openWindow(address.href);
  })());
});
