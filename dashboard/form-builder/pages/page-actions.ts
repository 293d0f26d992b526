import { elementOf, focusMoved } from '../blocks/block-actions.ts';
import { useBuilder } from '../builder-context.ts';
import { headOf, pageIndexOf, pageKey, pagesOf } from './pages.ts';

export interface PageActions {
  moveBy(steps: number): void;
  setCollapsed(isCollapsed: boolean): void;
  setAllCollapsed(isCollapsed: boolean): void;
}

/**
 * Actions on a whole page, by menu and keyboard.
 * @param head id of the item at the page's head
 */
export function usePageActions(head: string): PageActions {
  const { edit, blocks, pages: tools, announce } = useBuilder();
  const collapse = (keys: string[], isCollapsed: boolean) => {
    // The edited block must stay visible, so it is deselected.
    if (isCollapsed) edit({ do: 'select', id: null });
    tools.setCollapsed(keys, isCollapsed);
  };
  return {
    moveBy(steps) {
      const pages = pagesOf(blocks());
      const from = pageIndexOf(pages, head);
      const to = from + steps;
      if (from < 0 || to < 0 || to >= pages.length) return announce('It cannot be moved further.');
      edit({ do: 'move-page', from, to });
      announce(`The page is now ${to + 1} of ${pages.length}.`);
      focusMoved(() => {
        const page = pagesOf(blocks())[to];
        return page ? elementOf('data-handle', headOf(page)) : null;
      });
    },
    setCollapsed(isCollapsed) {
      const page = pagesOf(blocks()).find((one) => headOf(one) === head);
      if (page) collapse([pageKey(page)], isCollapsed);
    },
    setAllCollapsed: (isCollapsed) => collapse(pagesOf(blocks()).map(pageKey), isCollapsed),
  };
}
