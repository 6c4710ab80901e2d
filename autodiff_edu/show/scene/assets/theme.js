// Light or dark, as the page is; and the colours that the canvas needs.

export function followTheme(explorer) {
  // dark where the page is: JupyterLab, the book, else as the system is
  const { documentElement: page, body } = explorer.host.ownerDocument;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const look = () => {
    const theme = body?.dataset.jpThemeLight ?? page.dataset.theme ?? body?.dataset.theme;
    const isDark =
      theme === undefined || theme === "auto"
        ? system.matches
        : theme === "false" || theme === "dark";
    explorer.element.classList.toggle("dark", isDark);
    explorer.palette = undefined;
  };
  look();
  function changed() {
    if (explorer.host.isConnected) {
      look();
      explorer.view.draw();
    } else {
      watch.disconnect(); // a notebook has thrown the output away
      system.removeEventListener("change", changed);
    }
  }
  const watch = new MutationObserver(changed);
  system.addEventListener("change", changed);
  for (const node of [page, body].filter(Boolean)) {
    watch.observe(node, {
      attributes: true,
      attributeFilter: ["data-theme", "data-jp-theme-light"],
    });
  }
}

export function coloursOf(explorer) {
  // of the canvas, as the style has them
  if (!explorer.palette) {
    const style = getComputedStyle(explorer.element);
    const read = (name) => style.getPropertyValue(`--${name}`).trim();
    const [ink, value, derivative] = ["ink", "value", "deriv"].map(read);
    const words = ["value-text", "deriv-text"].map(read);
    explorer.palette = { ink, boxes: [value, derivative], words };
  }
  return explorer.palette;
}
