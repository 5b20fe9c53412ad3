// The link in the mail brings the code behind its "#", which browsers send to no server: enter it.
const code = /^#([A-Za-z]{4}-[A-Za-z]{4})$/.exec(location.hash);
const form = document.getElementById("code-form");
if (code && form) {
  history.replaceState(null, "", location.pathname + location.search);
  form.elements.code.value = code[1];
  form.requestSubmit();
}
