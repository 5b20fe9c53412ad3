// A choice that saves itself shows what is saved: if saving fails, it goes back to its old value, unless another choice
// was made meanwhile. The default value of the control is the saved one.
document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful, requestConfig: { formData } } }) => {
  if (!elt.matches("input[type=checkbox][hx-post], select[hx-post]")) return;
  const isBox = elt.type === "checkbox";
  const parts = isBox ? [elt] : [...elt.options];
  const [shown, saved] = isBox ? ["checked", "defaultChecked"] : ["selected", "defaultSelected"];
  const wasSent = (part) => formData.getAll(elt.name).includes(part.value);
  if (successful) for (const part of parts) part[saved] = wasSent(part);
  else if (parts.every((part) => part[shown] === wasSent(part))) for (const part of parts) part[shown] = part[saved];
});
