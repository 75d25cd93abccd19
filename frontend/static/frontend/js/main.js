// Entry point: each module works on its own; without any of them the pages still work.
import "./figure-chart.js";
import "./copy-link.js";
import { showProblems } from "./problems.js";
import { markOwn, stepNumbers } from "./fields.js";
import { keepOpen } from "./keep-open.js";

const form = document.getElementById("quote-form");
if (form) {
  stepNumbers(form);
  markOwn(form);
  showProblems(form);
}
keepOpen(document.body);
