import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';

/** The blocks between two page breaks. */
export interface Page {
  /** The page break it begins with; null for the first page. */
  start: Property | null;
  blocks: Property[];
}

/** Stands for the page break that the first page does not have. */
export const FIRST_PAGE = 'first page';

export function isPageBreak({ type }: Pick<Property, 'type'>): boolean {
  return canonicalTypeName(type) === 'nf-page-break';
}

/** The pages of a form, at least one. */
export function pagesOf(properties: readonly Property[]): Page[] {
  const pages: Page[] = [{ start: null, blocks: [] }];
  for (const block of properties) {
    if (isPageBreak(block)) pages.push({ start: block, blocks: [] });
    else pages.at(-1)?.blocks.push(block);
  }
  return pages;
}

/** The id of the item at the head of a page in the list. */
export function headOf({ start }: Page): string {
  return start?.id ?? FIRST_PAGE;
}

/** Identifies a page by its content, because page breaks stay in place when pages move. */
export function pageKey(page: Page): string {
  return page.blocks[0]?.id ?? headOf(page);
}

/** Index of the page with this head or block; -1 for none. */
export function pageIndexOf(pages: readonly Page[], id: unknown): number {
  return pages.findIndex((page) => headOf(page) === id || page.blocks.some((block) => block.id === id));
}

/**
 * All blocks after moving a page. A page moved to the front gives its break to the former first page, but without logic: that was
 * about the page, and the first page is always shown.
 */
export function withPageMoved(properties: readonly Property[], from: number, to: number): Property[] {
  const pages = pagesOf(properties);
  const [page] = pages.splice(from, 1);
  if (page) pages.splice(to, 0, page);
  const spare = withoutLogic(pages[0]?.start ?? null);
  return pages.flatMap(({ start, blocks }, index) => {
    const head = index === 0 ? null : (start ?? spare);
    return head ? [head, ...blocks] : blocks;
  });
}

function withoutLogic(block: Property | null): Property | null {
  if (!block?.logic) return block;
  const { logic: _, hidden: __, ...rest } = block;
  return rest;
}
