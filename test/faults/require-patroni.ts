import { whatIsMissing } from './patroni.ts';

/** @throws Error that says what to install */
export function setup(): void {
  const missing = whatIsMissing();
  if (missing !== null) throw new Error(`npm run test:failover ${missing}`);
}
