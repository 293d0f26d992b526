import type { Page } from './page.ts';

export function startKeeping(_page: Page): void {}
