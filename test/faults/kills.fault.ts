import { expect, test } from 'vitest';
import { killBoth, killDatabase, killService, killUnderLoad } from './kills.ts';
import { report } from './outcome.ts';

/** Processes killed with SIGKILL under load; after each kill, all books are compared. */
const ROUNDS = 8;

test('a service killed with SIGKILL under load loses nothing it acknowledged', async (context) => {
  const result = await killUnderLoad(ROUNDS, 8, killService);
  expect(result.lost).toBe(0);
  report(context, { id: 'F1', fault: `service killed with SIGKILL, ${ROUNDS} times`, ...result });
});

test('an embedded PostgreSQL killed with SIGKILL under load loses nothing that was acknowledged', async (context) => {
  const result = await killUnderLoad(ROUNDS, 8, killDatabase);
  expect(result.lost).toBe(0);
  report(context, { id: 'F6', fault: `embedded PostgreSQL killed with SIGKILL, ${ROUNDS} times`, ...result });
});

test('service and PostgreSQL killed at once lose nothing that was acknowledged', async (context) => {
  const result = await killUnderLoad(ROUNDS, 8, killBoth);
  expect(result.lost).toBe(0);
  report(context, { id: 'F6', fault: `service and PostgreSQL killed at once, ${ROUNDS} times`, ...result });
});
