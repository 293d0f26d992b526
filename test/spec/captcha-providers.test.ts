import { expect, test } from 'vitest';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';

const provider = useWebhookReceiver();
const home = useHome(async () => {
  const keys = (name: string) => ({
    [`${name}_SITE_KEY`]: 'site',
    [`${name}_SECRET_KEY`]: `secret of ${name}`,
    [`${name}_VERIFY_URL`]: provider.url,
  });
  const env = { ...keys('RECAPTCHA'), ...keys('HCAPTCHA'), ...keys('TURNSTILE') };
  return { env: { ...env, FORM_DOMAINS: '*.example.net' } };
});

const says = (success: boolean, hostname = '127.0.0.1') => ({
  status: 200,
  body: JSON.stringify({ success, hostname }),
});

test.each([
  ['recaptcha', 'g-recaptcha-response'],
  ['hcaptcha', 'h-captcha-response'],
  ['turnstile', 'cf-turnstile-response'],
])('%s is asked where its keys are configured', async (captcha_provider, key) => {
  const form = await home.form({ use_captcha: true, captcha_provider });
  const asked = provider.requests.length;
  expectInvalid(await home.submit(form, {}), 'captcha');
  expect(provider.requests).toHaveLength(asked);
  provider.script([says(false), says(true)]);
  expectInvalid(await home.submit(form, { [key]: 'bad token' }), 'captcha');
  expect((await home.submit(form, { [key]: 'good token' })).status).toBe(200);
  const sent = new URLSearchParams(provider.requests.at(-1)?.body.toString());
  expect(sent.get('secret')).toBe(`secret of ${captcha_provider.toUpperCase()}`);
  expect(sent.get('response')).toBe('good token');
  expect(await home.records(form)).toHaveLength(1);
});

test('a captcha counts where the form can be filled in: here and under its own domain', async () => {
  const form = await home.form({ use_captcha: true, custom_domain: 'tea.example.net' });
  for (const host of ['127.0.0.1', 'tea.example.net']) expect((await solvedAt(form, host)).status).toBe(200);
  for (const elsewhere of ['milk.example.net', 'example.net', 'evil.example'])
    expectInvalid(await solvedAt(form, elsewhere), 'captcha');
  expectInvalid(await solvedAt(await home.form({ use_captcha: true }), 'tea.example.net'), 'captcha');
});

async function solvedAt(form: { slug: string }, hostname: string) {
  provider.script([says(true, hostname)]);
  return home.submit(form, { 'g-recaptcha-response': 'token' });
}

test('a provider that cannot answer lets nobody through: 503 with Retry-After', async () => {
  const form = await home.form({ use_captcha: true });
  provider.script([500]);
  const answer = await home.submit(form, { 'g-recaptcha-response': 'token' });
  expectRefused(answer, 503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await home.records(form)).toEqual([]);
});
