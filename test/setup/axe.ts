import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 at level AA, and the best practices of axe beyond it. */
const ALL = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The only rules that look at colors. */
const OF_COLORS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

interface AxeResult {
  id: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** The violations that axe-core finds on the page as it is now, one line per element; empty when there are none. */
export function violationsOf(page: Page): Promise<string[]> {
  return violationsOfRules(page, ALL);
}

/** Violations of the color rules only: a page checked in light differs from it in dark by nothing else. */
export function colorViolationsOf(page: Page): Promise<string[]> {
  return violationsOfRules(page, OF_COLORS);
}

async function violationsOfRules(page: Page, runOnly: typeof ALL): Promise<string[]> {
  // Loading it takes half a second, and it stays until the page is left.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const found = await page.evaluate(async (rules) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: AxeResult[] }> };
    };
    const { violations } = await axe.run({ runOnly: rules, resultTypes: ['violations'], preload: false });
    return violations;
  }, runOnly);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id} ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  );
}
