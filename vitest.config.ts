import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CountReporter } from './test/setup/count-reporter.ts';
import { hasDebianPostgres } from './test/setup/debian-postgres.ts';
import { keepCompiled } from './test/setup/keep-compiled.ts';
import { LongestFirst } from './test/setup/longest-first.ts';
import { keepInMemory } from './test/setup/memory-folder.ts';

keepCompiled();
keepInMemory();

/** Set for each project, because from the root it is not inherited: it would start one server for all. */
const SERVER = ['test/setup/global-setup.ts'];

/** Tests that also run on the oldest supported PostgreSQL: all that go through the front door. */
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
      // Permissions do not depend on the version of the database, and these tests take long.
      'test/spec/authorization-*.test.ts',
      'test/spec/coverage.test.ts',
      // All statements of these are sent by other files of the selection too: what they test is decided before.
      'test/spec/attribution.test.ts',
      'test/spec/captcha-providers.test.ts',
      'test/spec/errors.test.ts',
      'test/spec/hostile-json.test.ts',
      'test/spec/limits.test.ts',
      'test/files/troubled-bucket.test.ts',
      'test/submissions/check-only.test.ts',
      'test/submissions/corrections.test.ts',
      'test/submissions/no-answers.test.ts',
    ],
  },
};

/** Tests in Chromium: they take by far the most time, and are the only ones that may be tried again. */
const pages: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'pages',
    globalSetup: SERVER,
    include: ['test/dashboard/**/*.test.ts', 'test/public-pages/**/*.test.ts'],
    // A browser on a busy machine may fail by chance. The end of the run lists tests that passed only the second time.
    retry: 1,
  },
};

export default defineConfig({
  test: {
    reporters: ['default', new CountReporter()],
    pool: 'forks',
    // Tests also wait for a browser, a database and a service, hence one more than cores; with another one the run takes a
    // tenth longer. Each needs up to a gigabyte, and its share of the connections of one PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // Loading the service and its packages for every file took a third of the time of tests without
    // a browser. They keep nothing from one file to the next.
    isolate: false,
    setupFiles: ['test/setup/own-environment.ts'],
    sequence: { sequencer: LongestFirst },
    // Limits for tests that hang; even a busy machine stays far below.
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
