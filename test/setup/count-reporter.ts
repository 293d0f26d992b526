import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/**
 * Ends the run with one line of its own: "N passed, N failed". It counts test cases; each failure outside of them (a file that
 * does not load, a hook, an unhandled error) counts as one failed. Skipped tests count as neither. Above it stand the tests
 * that
 * passed only when tried again, with their first error: it is a fault of the test or of the product.
 */
export class CountReporter implements Reporter {
  #passed = 0;
  #failed = 0;

  onInit(vitest: Vitest): void {
    if (vitest.config.watch) return;
    // Only when the process exits: other reporters and the global teardown still print after the last test.
    process.on('exit', (exitCode) => {
      const failed = exitCode !== 0 ? Math.max(this.#failed, 1) : this.#failed;
      process.stdout.write(`${this.#passed} passed, ${failed} failed\n`);
    });
  }

  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    this.#passed = 0;
    this.#failed = unhandledErrors.length;
    for (const testModule of testModules) {
      for (const testCase of testModule.children.allTests()) {
        const { state } = testCase.result();
        if (state === 'passed') this.#passed += 1;
        if (testCase.diagnostic()?.flaky) tellFirstTry(testCase);
        if (state === 'failed' || state === 'pending') this.#failed += 1;
      }
      const groups = [testModule, ...testModule.children.allSuites()];
      this.#failed += groups.filter((group) => group.errors().length > 0).length;
    }
  }
}

function tellFirstTry(testCase: TestCase): void {
  const { errors = [] } = testCase.result();
  const met = errors.map(({ stack, message }) => stack ?? message).join('\n');
  process.stdout.write(
    `Passed at the second try: ${testCase.module.relativeModuleId} > ${testCase.fullName}\n${met}\n`,
  );
}
