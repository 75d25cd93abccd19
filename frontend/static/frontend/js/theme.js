// Colours and fonts of charts come from the design tokens, so they follow the theme.

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** @param {() => void} act */
export function onThemeChange(act) {
  dark.addEventListener("change", act);
  return () => dark.removeEventListener("change", act);
}

/**
 * Vega-Lite configuration made of the tokens in force.
 * @param {number} width of the chart in pixels
 */
export function themeConfig(width) {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(name).trim();
  const category = Array.from({ length: 12 }, (_, n) => token(`--chart-${n + 1}`));
  const quiet = { labelColor: token("--quiet"), titleColor: token("--quiet"), titleFontWeight: "normal" };
  const size = { labelFontSize: 12, titleFontSize: 12 };
  return {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,
    view: { stroke: null },
    axis: { ...quiet, ...size, gridColor: token("--rule"), domainColor: token("--rule-strong"), tickColor: token("--rule-strong") },
    axisY: { labelLimit: width < 480 ? 105 : 180 },
    range: { category },
  };
}
