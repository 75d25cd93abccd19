// <figure-chart data-payload="id">: draws the Vega-Lite figure of a JSON block of the page.
// The element survives live updates; equal charts with new numbers only swap their data.
import { themeConfig, onThemeChange } from "./theme.js";

const OPTIONS = {
  renderer: "svg",
  mode: "vega-lite",
  ast: true,
  actions: false,
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
};

let bundle;

/** Loads the chart library once, when the first chart appears. */
function library() {
  const address = document.querySelector('meta[name="chart-bundle"]')?.content;
  if (!address) return Promise.reject(new Error("no chart library"));
  bundle ??= import(address).then(() => window.vegaEmbed);
  return bundle;
}

/** The page has its own legend, in words that a screen can wrap. */
function withoutLegends(spec) {
  const encoding = Object.entries(spec.encoding ?? {}).map(([channel, definition]) => [
    channel,
    definition.legend ? { ...definition, legend: null } : definition,
  ]);
  const layer = spec.layer?.map(withoutLegends);
  return { ...spec, ...(spec.encoding && { encoding: Object.fromEntries(encoding) }), ...(layer && { layer }) };
}

class FigureChart extends HTMLElement {
  connectedCallback() {
    this.stop ??= onThemeChange(() => this.refresh());
    this.refresh();
  }

  /** Draws the payload as it stands now; a later call overtakes an earlier one. */
  async refresh() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const block = document.getElementById(this.dataset.payload);
    if (!block) return;
    const { spec, records } = JSON.parse(block.textContent);
    const config = themeConfig(this.clientWidth);
    const key = JSON.stringify([spec, config]);
    try {
      const embed = await library();
      if (turn !== this.turn) return;
      if (this.result && key === this.key) await this.swap(records);
      else await this.embed(embed, { spec, records, config, key });
    } catch (error) {
      this.dataset.failed = error.message;
    }
  }

  async swap(records) {
    await this.result.view.data("table", records).runAsync();
  }

  async embed(embed, { spec, records, config, key }) {
    const complete = { ...withoutLegends(spec), data: { ...spec.data, values: records } };
    const previous = this.result;
    this.result = await embed(this, complete, { ...OPTIONS, config });
    this.key = key;
    previous?.finalize();
    this.dataset.drawn = "true";
  }
}

customElements.define("figure-chart", FigureChart);

document.body.addEventListener("htmx:afterSettle", () => {
  for (const chart of document.querySelectorAll("figure-chart")) chart.refresh();
});
