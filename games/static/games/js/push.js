// On the settings page: gets a push subscription from the browser and sends it to the site.
(() => {
  const place = document.querySelector("[data-push]");
  if (!place || !("serviceWorker" in navigator) || !("PushManager" in window)) return;

  const button = place.querySelector("button");
  const status = place.querySelector("[role=status]");
  const say = (text) => { status.textContent = text; };

  function bytes(base64) {
    const plain = atob(base64.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  }

  function text(buffer) {
    return btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  // The name of the browser, for the list on the settings page.
  function name() {
    const known = [["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]];
    const found = known.find(([mark]) => navigator.userAgent.includes(mark));
    const system = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"].find((mark) => navigator.userAgent.includes(mark));
    return [found && found[1], system].filter(Boolean).join(", ");
  }

  async function subscribe() {
    if (await Notification.requestPermission() !== "granted") return say(status.dataset.refused);
    await navigator.serviceWorker.register(place.dataset.pushWorker);
    const worker = await navigator.serviceWorker.ready;
    const key = bytes(place.dataset.push);
    const old = await worker.pushManager.getSubscription();
    if (old && text(old.options.applicationServerKey) !== place.dataset.push) await old.unsubscribe();
    const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const form = new FormData();
    form.set("url", subscription.endpoint);
    form.set("public", text(subscription.getKey("p256dh")));
    form.set("auth", text(subscription.getKey("auth")));
    form.set("name", name());
    const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
    const answer = await fetch(place.dataset.pushUrl, { method: "POST", body: form, headers: { "X-CSRFToken": token } });
    if (answer.ok) location.reload();
    else say(answer.status === 422 ? await answer.text() : status.dataset.broken);
  }

  place.hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    subscribe().catch(() => say(status.dataset.broken)).finally(() => { button.disabled = false; });
  });
})();
