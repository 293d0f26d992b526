import { defineConfig } from 'vitest/config';
import { FaultsReporter } from './test/faults/faults-reporter.ts';
import { CountReporter } from './test/setup/count-reporter.ts';

/** The faults that need Patroni, alone: elsewhere they are skipped when its packages are missing, here that is a failure. */
export default defineConfig({
  test: {
    reporters: ['default', new FaultsReporter(false), new CountReporter()],
    pool: 'forks',
    globalSetup: ['test/faults/require-patroni.ts'],
    include: ['test/faults/failover.fault.ts'],
  },
});
