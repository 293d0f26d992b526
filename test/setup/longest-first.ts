import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, the longest first: they start first, so that the run does not end by waiting for a single file.
 * A file that takes more than half a minute belongs here.
 */
const LONGEST = [
  'http/hostile-requests',
  'spec/authorization-matrix',
  'dashboard/builder',
  'public-pages/embed',
  'public-pages/injection',
  'dashboard/responses',
  'public-pages/accessibility',
  'dashboard/settings',
  'dashboard/screens',
  'public-pages/reflow',
  'access/key-rotation',
  'dashboard/integrations',
  'public-pages/metrics',
  'dashboard/import',
  'dashboard/builder-blocks',
  'public-pages/offline',
  'cli/bench',
  'cli/processes',
  'cli/serve',
  'cli/backup',
  'code',
  'backup/backup',
  'http/hostile-heap',
  'embedded-postgres',
];

/** The same order on every machine: times noted by earlier runs do not count. */
export class LongestFirst extends BaseSequencer {
  /** Deals the files out in turn, so that all machines get about as much (`--shard=1/5`). */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {};
    const dealt = await this.sort(files);
    return dealt.filter((_, place) => place % count === index - 1);
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (left, right) => placeOf(left) - placeOf(right) || (nameOf(left) < nameOf(right) ? -1 : 1),
    );
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place < 0 ? LONGEST.length : place;
}

function nameOf({ moduleId, project }: TestSpecification): string {
  return `${project.name} ${moduleId}`;
}
