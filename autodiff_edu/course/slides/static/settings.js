// What MathJax is told before it starts: formulas are typeset when deck.js asks for it. No letter of
// a formula is smaller than those of an index, which have 20 pixels.
window.MathJax = {
  startup: {
    typeset: false,
    ready() {
      MathJax._.core.MmlTree.MmlNodes.math.MmlMath.defaults.scriptminsize = "0.707em";
      MathJax.startup.defaultReady();
    },
  },
  options: { enableMenu: false },
  svg: { scale: 1.06 },
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]] },
};
