// The menu: views in groups. Views of features that are not used are folded.

import { get } from "./api.js";
import { h } from "./dom.js";
import { may } from "./session.js";

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Fills the menu of the page.
 *
 * @param groups views by name, by the title of their group; a view with `used` (path of a list) is folded while that list is empty
 * @return mark: shows which view is open; offer: shows the views that the caller may read
 */
export function menu(groups) {
  const button = document.getElementById("menu");
  const place = document.getElementById("views");
  const views = Object.values(groups).flatMap(Object.entries);
  const links = new Map(views.map(([name, view]) => [name, h("a", { href: `#/${name}`, "data-view": name }, view.title)]));
  const items = new Map(views.map(([name]) => [name, h("li", {}, links.get(name))]));
  const unused = h("ul", {});
  const fold = h("details.unused", { hidden: true }, h("summary", {}, "Not in use"), unused);
  const unfold = (wide) => {
    place.classList.toggle("open", wide);
    button.setAttribute("aria-expanded", String(wide));
  };
  place.append(...Object.entries(groups).map(([title, members]) => h("section", {}, title ? h("h2", {}, title) : null,
    h("ul", {}, Object.keys(members).map((name) => items.get(name)), title === "Help" ? h("li", {}, h("a", { href: "/docs" }, "API")) : null))),
  fold, h("p.zone", {}, `Times: ${ZONE}`));
  button.addEventListener("click", () => unfold(!place.classList.contains("open")));
  addEventListener("keydown", (event) => event.key === "Escape" && unfold(false));

  return {
    mark(open) {
      unfold(false);
      links.forEach((link, name) => (name === open ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
      button.textContent = open ? `☰ ${links.get(open).textContent}` : "☰ Menu";
      fold.open = unused.contains(items.get(open) ?? null);
    },
    async offer() {
      for (const [name, view] of views) {
        items.get(name).hidden = Boolean(view.roles && !may(...view.roles));
      }
      for (const [name, view] of views.filter(([, one]) => one.used)) {
        const first = await get(view.used, { forbidden: { items: [] } }).catch(() => ({ items: [] }));
        if (!first.items.length) {
          unused.append(items.get(name));
          fold.hidden = false;
        }
      }
    },
  };
}
