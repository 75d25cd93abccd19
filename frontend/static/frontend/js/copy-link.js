// <copy-link data-what="page|value">: its button copies this page's address or its input.

class CopyLink extends HTMLElement {
  connectedCallback() {
    this.querySelector("button")?.addEventListener("click", (event) => this.copy(event.currentTarget));
  }

  async copy(button) {
    const input = this.querySelector("input");
    const text = this.dataset.what === "value" && input ? input.value : location.href;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      input?.select();
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = label; }, 1600);
  }
}

customElements.define("copy-link", CopyLink);
