import { afterAll } from 'vitest';

/** Test files run one after another in the same process, so the environment is restored after each. */
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
