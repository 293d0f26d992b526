import type { Page } from './page.ts';

export function startFocused(_page: Page): void {}
