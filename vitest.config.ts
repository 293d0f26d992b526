import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CountReporter } from './test/setup/count-reporter.ts';
import { hasDebianPostgres } from './test/setup/debian-postgres.ts';
import { keepCompiled } from './test/setup/keep-compiled.ts';
import { LongestFirst } from './test/setup/longest-first.ts';

keepCompiled();

/** A project does not take it over from the root: there it would start one server for all. */
const SERVER = ['test/setup/global-setup.ts'];

/** What runs on the oldest supported PostgreSQL as well: everything that goes through the front door. */
const onPostgres15: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'postgres-15',
    globalSetup: SERVER,
    include: [
      'test/spec/**/*.test.ts',
      'test/exports/**/*.test.ts',
      'test/files/**/*.test.ts',
      'test/submissions/**/*.test.ts',
      'test/db/**/*.test.ts',
      'test/backup/**/*.test.ts',
    ],
    exclude: [
      // Who may call what is no question of the database, and takes long.
      'test/spec/authorization-*.test.ts',
      'test/spec/coverage.test.ts',
      // They send no statement that no other file of the selection sends: what they ask is judged before.
      'test/spec/attribution.test.ts',
      'test/spec/captcha-providers.test.ts',
      'test/spec/errors.test.ts',
      'test/spec/hostile-json.test.ts',
      'test/spec/limits.test.ts',
      'test/submissions/check-only.test.ts',
      'test/submissions/corrections.test.ts',
      'test/submissions/no-answers.test.ts',
    ],
  },
};

/** What is looked at in Chromium: by far the most of the time, and the only tests that may be tried again. */
const pages: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'pages',
    globalSetup: SERVER,
    include: ['test/dashboard/**/*.test.ts', 'test/public-pages/**/*.test.ts'],
    // A browser on a busy machine has moods of its own. What passed only then is told at the end of the run.
    retry: 1,
  },
};

export default defineConfig({
  test: {
    reporters: ['default', new CountReporter()],
    pool: 'forks',
    // Tests wait for a browser, a database and a service as well; with one worker more it takes a tenth longer.
    // Each needs up to a gigabyte, and its share of the connections of one PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // Loaded anew for every file, the service and its packages took a third of the time of tests
    // without a browser. Nothing in them remembers a file.
    isolate: false,
    setupFiles: ['test/setup/own-environment.ts'],
    sequence: { sequencer: LongestFirst },
    // They end what hangs; a busy machine never comes near them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      pages,
      {
        extends: true,
        test: {
          name: 'embedded',
          globalSetup: SERVER,
          include: ['test/**/*.test.ts'],
          exclude: pages.test?.include ?? [],
        },
      },
      ...(hasDebianPostgres() ? [onPostgres15] : []),
    ],
  },
});
