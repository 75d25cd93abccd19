// After each preview: mark the fields that the summary names, unmark the others.

/** @param {HTMLFormElement} form */
export function showProblems(form) {
  document.body.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target?.id === "problems") mark(form);
  });
  form.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-problem]");
    if (link) goTo(event, link.dataset.problem);
  });
}

/** @param {HTMLFormElement} form */
function mark(form) {
  const messages = new Map();
  for (const link of form.querySelectorAll("a[data-problem]")) {
    messages.set(link.dataset.problem, link.textContent);
  }
  for (const control of form.querySelectorAll("input[id], select[id], textarea[id]")) {
    if (control.id.startsWith("f--")) setProblem(control, messages.get(control.id) ?? "");
  }
}

function setProblem(control, message) {
  control.closest(".field")?.classList.toggle("has-error", message !== "");
  if (message) control.setAttribute("aria-invalid", "true");
  else control.removeAttribute("aria-invalid");
  const place = document.getElementById(`${control.id}-error`);
  if (place && place.textContent !== message) place.textContent = message;
}

function goTo(event, id) {
  const control = document.getElementById(id);
  if (!control) return;
  event.preventDefault();
  for (let box = control.closest("details"); box; box = box.parentElement?.closest("details")) {
    box.open = true;
  }
  control.scrollIntoView({ block: "center" });
  control.focus();
}
