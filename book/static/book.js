// A picture that is wider than the page scrolls: then the keyboard must reach it.
addEventListener("load", () => {
  for (const card of document.querySelectorAll(".autodiff-card")) {
    if (card.scrollWidth > card.clientWidth) card.tabIndex = 0;
  }
});
