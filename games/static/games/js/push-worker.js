// Service worker: shows the push messages of the site, and opens the game on a click.
self.addEventListener("push", (event) => {
  let news = {};
  try { news = event.data.json(); } catch { /* an empty message still has to be shown */ }
  event.waitUntil(self.registration.showNotification(news.title || "Acquire", {
    body: news.text || "",
    tag: news.tag || "acquire", // replaces the message before about the same game
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
