// Colours and fonts of charts come from the design tokens, so they follow the theme.

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** @param {() => void} act */
export function onThemeChange(act) {
  dark.addEventListener("change", act);
  return () => dark.removeEventListener("change", act);
}

/** Vega-Lite configuration made of the tokens in force. */
export function themeConfig() {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(name).trim();
  const category = Array.from({ length: 10 }, (_, n) => token(`--chart-${n + 1}`));
  const quiet = { labelColor: token("--quiet"), titleColor: token("--quiet"), titleFontWeight: "normal" };
  const size = { labelFontSize: 12, titleFontSize: 12 };
  return {
    background: "transparent",
    font: getComputedStyle(document.body).fontFamily,
    view: { stroke: null },
    axis: { ...quiet, ...size, gridColor: token("--rule"), domainColor: token("--rule-strong"), tickColor: token("--rule-strong") },
    legend: { disable: true },
    range: { category },
  };
}
