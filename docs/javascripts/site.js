/* A button that copies an example without its prompts and results, and tables that scroll by keys. */
"use strict";

/* ---- what an example is typed as ---- */

function typed(code) {
  if (!code.querySelector(".gp")) return code.textContent;
  const copy = code.cloneNode(true);
  for (const result of copy.querySelectorAll(".go, .gt")) result.remove();
  return copy.textContent.split("\n")
    .filter((line) => /^(>>>|\.\.\.)( |$)/.test(line))
    .map((line) => line.slice(4))
    .join("\n") + "\n";
}

function addCopyButton(code) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(typed(code));
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  code.parentElement.append(button);
}

const EXAMPLES = ".md-content .highlight:not(.signature):not(.listing) pre > code";
// Pages from an address that is no secure one have no clipboard.
if (navigator.clipboard) document.querySelectorAll(EXAMPLES).forEach(addCopyButton);

/* ---- wide blocks and tables ---- */

function wideOnes(selector, label) {
  return [...document.querySelectorAll(selector)]
    .filter((element) => !element.hasAttribute("tabindex") && element.scrollWidth > element.clientWidth)
    .map((element) => [element, label]);
}

// All widths are read before anything is written: each write between would lay the page out anew.
function reachableAll() {
  const found = [
    ...wideOnes(".md-typeset__scrollwrap", "Table, scrolls sideways"),
    ...wideOnes(".md-content pre > code", "Code, scrolls sideways"),
  ];
  for (const [element, label] of found) {
    element.tabIndex = 0;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", label);
  }
}

let due = false;
function reachableSoon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    reachableAll();
  });
}

// The theme wraps tables some time after the page is there.
new MutationObserver(reachableSoon).observe(document.querySelector(".md-content"), { childList: true, subtree: true });
addEventListener("resize", reachableSoon);
reachableAll();
