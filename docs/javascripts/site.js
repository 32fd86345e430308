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

function reachable(element, label) {
  const wide = element.scrollWidth > element.clientWidth;
  if (wide && !element.hasAttribute("tabindex")) {
    element.tabIndex = 0;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", label);
  }
}

function reachableAll() {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) reachable(table, "Table, scrolls sideways");
  for (const code of document.querySelectorAll(".md-content pre > code")) reachable(code, "Code, scrolls sideways");
}

// The theme wraps tables some time after the page is there.
new MutationObserver(reachableAll).observe(document.querySelector(".md-content"), { childList: true, subtree: true });
addEventListener("resize", reachableAll);
reachableAll();
