import { defineConfig } from 'vitest/config';
import { FaultsReporter } from './test/faults/faults-reporter.ts';
import { CountReporter } from './test/setup/count-reporter.ts';

/** Only the faults that need Patroni. Elsewhere they are skipped if its packages are missing; here the run fails. */
export default defineConfig({
  test: {
    reporters: ['default', new FaultsReporter(false), new CountReporter()],
    pool: 'forks',
    globalSetup: ['test/faults/require-patroni.ts'],
    include: ['test/faults/failover.fault.ts'],
  },
});
