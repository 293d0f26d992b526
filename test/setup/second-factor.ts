import { Secret, TOTP } from 'otpauth';
import type { TestUser } from './factories.ts';
import type { Answer, TestService } from './service.ts';

export interface SecondFactor {
  secret: string;
  /** The code that confirmed it, and so cannot be used again; a new code may be due between any two lines of a test. */
  usedCode: string;
  recoveryCodes: string[];
  /** An unused code. Each call also forgets which codes were used, so that no test waits 30 seconds for the next. */
  freshCode(on?: TestService): Promise<string>;
}

/** Switches on a second factor for a person, through the API. */
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
