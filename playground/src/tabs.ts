/** Fills a tab list; the arrow keys move between its tabs. */
export function tabs(list: HTMLElement, names: string[], chosen: string, choose: (name: string) => void): void {
  const focused = list.contains(document.activeElement);
  list.hidden = names.length === 0;
  list.replaceChildren(
    ...names.map((name, at) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.role = "tab";
      tab.textContent = name;
      tab.ariaSelected = String(name === chosen);
      tab.tabIndex = name === chosen ? 0 : -1;
      tab.setAttribute("aria-controls", "panel");
      tab.onclick = () => choose(name);
      tab.onkeydown = ({ key }) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
        if (step) choose(names[(at + step + names.length) % names.length]);
      };
      return tab;
    }),
  );
  if (focused) list.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
}
