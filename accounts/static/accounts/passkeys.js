// Says in words when a passkey or security key did not answer.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault(); // it is told on the page instead of the console
  document.getElementById("passkey-problem").hidden = false;
});
