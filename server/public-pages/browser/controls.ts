import type { Page } from './page.ts';

export function enhance(_page: Page): void {}
