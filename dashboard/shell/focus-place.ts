const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';
/** The content of a screen, and dialogs above or beside it. */
const REGIONS = '#content, [role="dialog"], [role="alertdialog"]';

/** The region that an element is in; null for the bars around the content, and for menus. */
export function regionOf(element: Element): Element | null {
  return element.closest(REGIONS);
}

/** Where an element is, so that its place is found after it has gone. */
export interface Place {
  /** What can be focused nearest to it; null on another screen, or if the focus was not seen, as after a click. */
  neighbour(): HTMLElement | null;
}

/** One step up from the element: what contains it, and what stands after and before it there. */
interface Level {
  parent: Element;
  after: Element | null;
  before: Element | null;
}

/** The place of an element in the content of a screen or in a dialog, while it is there. */
export function createPlace(element: Element): Place {
  const screen = location.pathname;
  const wasSeen = element.matches(':focus-visible');
  const levels = levelsOf(element);
  return {
    neighbour() {
      if (!wasSeen || location.pathname !== screen) return null;
      for (const level of levels) {
        const beside = level.parent.isConnected && besides(level);
        if (beside) return beside;
      }
      return null;
    },
  };
}

/** From the innermost to that of the screen's content, or of the dialog. */
function levelsOf(element: Element): Level[] {
  const levels: Level[] = [];
  for (let at = element; at.parentElement && !at.matches(REGIONS); at = at.parentElement)
    levels.push({
      parent: at.parentElement,
      after: at.nextElementSibling,
      before: at.previousElementSibling,
    });
  return levels;
}

/** The first control after the place, or the last one before it. */
function besides({ parent, after, before }: Level): HTMLElement | undefined {
  const children = [...parent.children];
  const from = after ? children.indexOf(after) : -1;
  const to = before ? children.indexOf(before) : -1;
  const following = from < 0 ? [] : children.slice(from);
  return (
    following.flatMap(controlsIn)[0] ??
    children
      .slice(0, to + 1)
      .flatMap(controlsIn)
      .at(-1)
  );
}

function controlsIn(element: Element): HTMLElement[] {
  const all = [element, ...element.querySelectorAll(FOCUSABLE)];
  return all.filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement &&
      one.tabIndex >= 0 &&
      !one.matches(':disabled') &&
      one.checkVisibility({ visibilityProperty: true }),
  );
}
