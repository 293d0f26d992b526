import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { faultsPage } from './faults-page.ts';
import type { Outcome } from './outcome.ts';

const PAGE = join(import.meta.dirname, '../../docs/faults.md');

/** Prints the results of the faults; writes docs/faults.md when WRITE_FAULTS=1 and nothing failed. */
export class FaultsReporter implements Reporter {
  readonly #isOfAll: boolean;

  /** @param isOfAll false for a run of only some faults, which must not become the page */
  constructor(isOfAll = true) {
    this.#isOfAll = isOfAll;
  }

  onTestRunEnd(testModules: readonly TestModule[]): void {
    const tests = testModules.flatMap((testModule) => [...testModule.children.allTests()]);
    const outcomes = tests.flatMap((test) => test.meta().outcomes ?? []);
    const skipped = tests.flatMap((test) => {
      const result = test.result();
      return result.state === 'skipped' ? [{ title: test.name, reason: result.note ?? 'not asked for' }] : [];
    });
    for (const outcome of outcomes) console.log(line(outcome));
    for (const { title, reason } of skipped) console.log(`skipped  ${title}: ${reason}`);
    const repeated = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0).map(({ name }) => name);
    for (const name of repeated) console.log(`run again  ${name}`);
    const failed = tests.filter((test) => test.result().state === 'failed');
    if (process.env.WRITE_FAULTS !== '1' || !this.#isOfAll) return;
    if (failed.length > 0) console.log(`docs/faults.md is not written: ${failed.length} tests failed.`);
    else writeFileSync(PAGE, faultsPage(outcomes, { skipped, repeated }, new Date()));
  }
}

function line({ id, fault, acknowledged, stored, delivered, lost, recoveredMs, seen }: Outcome): string {
  const figures = { acknowledged, stored, delivered, lost, recoveredMs };
  const told = Object.entries(figures).flatMap(([name, figure]) =>
    figure === undefined ? [] : [`${name} ${figure}`],
  );
  return `${id.padEnd(8)} ${fault}: ${[...told, seen ?? ''].join(', ')}`;
}
