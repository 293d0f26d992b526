import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 at level AA, and what axe recommends beyond it. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  id: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** What axe-core finds wrong with the page as it stands, one line per element; empty when all is well. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE);
  const found = await page.evaluate(async (tags) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: AxeResult[] }> };
    };
    const { violations } = await axe.run({ runOnly: tags, resultTypes: ['violations'] });
    return violations;
  }, TAGS);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id} ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
    ),
  );
}
