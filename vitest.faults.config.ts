import { defineConfig } from 'vitest/config';
import { FaultsReporter } from './test/faults/faults-reporter.ts';
import { CountReporter } from './test/setup/count-reporter.ts';

/** All of test/faults. They take minutes, so they are not part of `npm test`. */
export default defineConfig({
  test: {
    reporters: ['default', new FaultsReporter(), new CountReporter()],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
    include: ['test/faults/**/*.fault.ts'],
  },
});
