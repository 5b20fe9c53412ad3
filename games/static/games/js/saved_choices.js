// A choice that saves itself shows what is saved: if saving fails, it goes back to its old value, unless another choice
// was made meanwhile. The default value of the control is the saved one.
{
  const isBox = (control) => control.type === "checkbox";
  const wasTicked = (control, sent) => sent.getAll(control.name).includes(control.value);
  const shows = (control, sent) => isBox(control) ? control.checked === wasTicked(control, sent) : control.value === sent.get(control.name);
  const back = (control) => {
    if (isBox(control)) control.checked = control.defaultChecked;
    else for (const option of control.options) option.selected = option.defaultSelected;
  };
  const keep = (control, sent) => {
    if (isBox(control)) control.defaultChecked = wasTicked(control, sent);
    else for (const option of control.options) option.defaultSelected = option.value === sent.get(control.name);
  };
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful, requestConfig: { formData } } }) => {
    if (!elt.matches("input[type=checkbox][hx-post], select[hx-post]")) return;
    if (successful) keep(elt, formData);
    else if (shows(elt, formData)) back(elt);
  });
}
