// A picture that is wider than the page scrolls: then the keyboard must reach it.
addEventListener("load", () => {
  for (const card of document.querySelectorAll(".autodiff-card")) {
    if (card.scrollWidth > card.clientWidth) card.tabIndex = 0;
  }
});

// What is for reading is folded, unless a link leads into it.
addEventListener("DOMContentLoaded", () => {
  const section = document.getElementById("for-reading");
  if (!section) return;
  const [heading, ...rest] = section.children;
  const fold = document.createElement("details");
  const title = document.createElement("summary");
  title.append(heading);
  fold.append(title, ...rest);
  section.append(fold);
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && section.contains(target)) {
      fold.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", () => (fold.open = true));
  follow();
});
