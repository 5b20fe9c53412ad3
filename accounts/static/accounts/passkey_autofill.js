// Offers the passkeys of this browser where the name is typed, next to the names that it remembers.
const field = document.querySelector("main [name=login]");
const form = document.getElementById("mfa_login");
const waiting = new AbortController();

async function offerPasskeys() {
  if (!(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const { request_options: options } = await answer.json();
  const found = await window.webauthnJSON.get({ ...options, mediation: "conditional", signal: waiting.signal });
  form.elements.credential.value = JSON.stringify(found);
  form.submit();
}

if (field && form) {
  // Not before somebody is about to log in: each offer begins a session.
  field.addEventListener("focus", () => offerPasskeys().catch(() => {}), { once: true });
  // Browsers allow one request at a time, and the button makes its own.
  document.getElementById("passkey_login").addEventListener("click", () => waiting.abort(), { capture: true });
}
