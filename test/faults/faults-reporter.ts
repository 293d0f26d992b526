import type { Reporter, TestModule } from 'vitest/node';

export class FaultsReporter implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[]): void {
    for (const testModule of testModules)
      for (const testCase of testModule.children.allTests()) console.log(JSON.stringify(testCase.meta()));
  }
}
