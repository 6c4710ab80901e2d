// What MathJax is told before it starts: formulas are typeset when deck.js asks for it.
window.MathJax = {
  startup: { typeset: false },
  options: { enableMenu: false },
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]] },
};
