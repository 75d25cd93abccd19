// Numbers step with the arrow keys; fields tell whether they hold their default.

/** @param {HTMLFormElement} form */
export function stepNumbers(form) {
  form.addEventListener("keydown", (event) => {
    const input = event.target;
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!sign || !input.dataset?.step || event.altKey || event.metaKey) return;
    const value = Number(input.value || input.dataset.default);
    if (!Number.isFinite(value)) return;
    event.preventDefault();
    const step = Number(input.dataset.step) * (event.shiftKey ? 10 : 1);
    input.value = String(Number(within(value + sign * step, input).toPrecision(12)));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

function within(value, input) {
  const low = input.dataset.min === undefined ? -Infinity : Number(input.dataset.min);
  const high = input.dataset.max === undefined ? Infinity : Number(input.dataset.max);
  return Math.min(Math.max(value, low), high);
}

/** @param {HTMLFormElement} form */
export function markOwn(form) {
  form.addEventListener("input", (event) => {
    const control = event.target;
    if (control.dataset?.default === undefined) return;
    const value = control.type === "checkbox" ? (control.checked ? "on" : "") : control.value.trim();
    const isDefault = value === "" && control.type !== "checkbox" ? true : value === control.dataset.default;
    control.closest(".field")?.classList.toggle("is-own", !isDefault);
    renameAlternative(control);
  });
}

/** The card's title follows its label while typing. */
function renameAlternative(control) {
  if (!/^\/alternatives\/[^/]+\/label$/.test(control.name)) return;
  const title = control.closest(".alternative")?.querySelector("summary .label");
  if (title) title.textContent = control.value;
}
