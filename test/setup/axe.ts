import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 at level AA, and what axe recommends beyond it. */
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

/** What axe-core finds wrong with the page as it stands, one line per element; empty when all is well. */
export function violationsOf(page: Page): Promise<string[]> {
  return violationsOfRules(page, ALL);
}

/** The same of the colors alone: in dark a page that was looked at in light is new in nothing else. */
export function colorViolationsOf(page: Page): Promise<string[]> {
  return violationsOfRules(page, OF_COLORS);
}

async function violationsOfRules(page: Page, runOnly: typeof ALL): Promise<string[]> {
  // It takes half a second to read, and stays until the page goes.
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
