// What a reader has unfolded stays unfolded when the result is replaced.

/** @param {HTMLElement} root */
export function keepOpen(root) {
  let open = [];
  root.addEventListener("htmx:beforeSwap", () => {
    open = [...root.querySelectorAll("#result details[open][id]")].map((box) => box.id);
  });
  root.addEventListener("htmx:afterSwap", () => {
    for (const id of open) {
      const box = document.getElementById(id);
      if (box) box.open = true;
    }
  });
}
