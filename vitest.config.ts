import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CountReporter } from './test/setup/count-reporter.ts';
import { hasDebianPostgres } from './test/setup/debian-postgres.ts';
import { keepCompiled } from './test/setup/keep-compiled.ts';
import { LongestFirst } from './test/setup/longest-first.ts';

keepCompiled();

/** What runs on the oldest supported PostgreSQL as well: everything that goes through the front door. */
const onPostgres15: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'postgres-15',
    include: [
      'test/spec/**/*.test.ts',
      'test/exports/**/*.test.ts',
      'test/files/**/*.test.ts',
      'test/submissions/**/*.test.ts',
      'test/db/**/*.test.ts',
      'test/backup/**/*.test.ts',
    ],
    // Who may call what is no question of the database, and takes long.
    exclude: ['test/spec/authorization-*.test.ts', 'test/spec/coverage.test.ts'],
  },
};

export default defineConfig({
  test: {
    reporters: ['default', new CountReporter()],
    pool: 'forks',
    // Two cores have a browser, a database and a service to wait for.
    maxWorkers: 4,
    // Loaded anew for every file, the service and its packages took a third of the time of tests
    // without a browser. Nothing in them remembers a file.
    isolate: false,
    setupFiles: ['test/setup/own-environment.ts'],
    sequence: { sequencer: LongestFirst },
    // They end what hangs; a busy machine never comes near them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/setup/global-setup.ts'],
    projects: [
      { extends: true, test: { name: 'embedded', include: ['test/**/*.test.ts'] } },
      ...(hasDebianPostgres() ? [onPostgres15] : []),
    ],
  },
});
