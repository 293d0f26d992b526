import { Secret, TOTP } from 'otpauth';
import type { TestUser } from './factories.ts';
import type { Answer, TestService } from './service.ts';

export interface SecondFactor {
  secret: string;
  /** The one that confirmed it, used up by that; half a minute may end between any two lines of a test. */
  usedCode: string;
  recoveryCodes: string[];
  /** A code that was not used yet; each call takes back what was noted of used ones, so that no test waits 30 seconds. */
  freshCode(on?: TestService): Promise<string>;
}

/** Switches the second factor of a person on, through the front door. */
export async function withSecondFactor(service: TestService, user: TestUser): Promise<SecondFactor> {
  const call = (path: string, body: object) =>
    service.request('POST', `/settings/second-factor${path}`, { cookie: user.cookie, body });
  const enrolled = await call('', { current_password: user.password });
  if (enrolled.status !== 200) throw new Error(`enrolling answered ${enrolled.status}: ${enrolled.text}`);
  const { secret } = enrolled.body;
  const usedCode = codeOf(secret);
  const confirmed = await call('/confirm', { code: usedCode });
  if (confirmed.status !== 200) throw new Error(`confirming answered ${confirmed.status}: ${confirmed.text}`);
  return {
    secret,
    usedCode,
    recoveryCodes: confirmed.body.recovery_codes,
    async freshCode(on = service) {
      await on.context.pool.query('update second_factors set last_step = 0 where user_id = $1', [user.id]);
      return codeOf(secret);
    },
  };
}

/** @param steps of 30 seconds from now */
export function codeOf(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
}

/** The first step of signing in. */
export function signIn(service: TestService, user: { email: string; password: string }): Promise<Answer> {
  return service.request('POST', '/login', { body: { email: user.email, password: user.password } });
}

export function cookieOf(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
