import { expect, test } from 'vitest';
import { killBoth, killDatabase, killService, killUnderLoad } from './kills.ts';

/** A short selection of the faults, with real processes; `npm run test:faults` runs all of them. */
const LIMIT = { timeout: 300_000 };

test(
  'service, PostgreSQL, and both killed with SIGKILL under load lose nothing acknowledged',
  LIMIT,
  async () => {
    const kills = [killService, killDatabase, killBoth];
    const next: typeof killBoth = (...given) => (kills.shift() ?? killService)(...given);
    const result = await killUnderLoad(kills.length, 4, next, true);
    expect(result.lost).toBe(0);
    expect(result.acknowledged).toBeGreaterThan(300);
  },
);
