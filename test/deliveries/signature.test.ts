import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signBody, signingKeys, standardWebhookHeaders } from '../../server/deliveries/signature.ts';

const BODY = '{"form_id":7,"data":{"ü":"→ \u{1F600}"}}';
const SECRETS = ['correct horse battery', 'ключ-секрет-12', 'a'.repeat(200), 'whsec_not base64!'];

/** HMAC by its definition (RFC 2104), independent of the code under test. */
function hmacSha256(key: Buffer, message: Buffer): Buffer {
  const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const block = Buffer.alloc(64);
  (key.length > 64 ? sha256(key) : key).copy(block);
  const inner = sha256(Buffer.from(block.map((byte) => byte ^ 0x36)), message);
  return sha256(Buffer.from(block.map((byte) => byte ^ 0x5c)), inner);
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

describe('X-Webhook-Signature', () => {
  test('agrees with test case 2 of RFC 4231', () => {
    expect(signBody(signingKeys('Jefe'), 'what do ya want for nothing?')).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  test.each([...SECRETS, `whsec_${Buffer.from('sixteen bytes ok').toString('base64')}`])(
    'takes the bytes of the secret %s as they are',
    (secret) => {
      const expected = `sha256=${hmacSha256(Buffer.from(secret), Buffer.from(BODY)).toString('hex')}`;
      expect(signBody(signingKeys(secret), BODY)).toBe(expected);
      expect(signBody(signingKeys(secret), Buffer.from(BODY))).toBe(expected);
    },
  );

  test('covers every byte', () => {
    expect(signBody(signingKeys('correct horse battery'), `${BODY} `)).not.toBe(
      signBody(signingKeys('correct horse battery'), BODY),
    );
    const notUtf8 = Buffer.from([0xff, 0x00, 0xfe]);
    expect(signBody(signingKeys('k'), notUtf8)).toBe(
      `sha256=${hmacSha256(Buffer.from('k'), notUtf8).toString('hex')}`,
    );
  });
});

describe('Standard Webhooks', () => {
  test.each(SECRETS)('verifies with the library and the base64 of the secret %s', (secret) => {
    const sentAt = now();
    const headers = standardWebhookHeaders(signingKeys(secret), 'msg_1', sentAt, BODY);
    const library = new Webhook(Buffer.from(secret).toString('base64'));
    expect(library.verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => library.verify(`${BODY} `, headers)).toThrow();
    expect(() => library.verify(BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    expect(() => library.verify(BODY, { ...headers, 'webhook-timestamp': String(sentAt - 1) })).toThrow();
  });

  test('verifies with the library and a whsec_ secret as configured', () => {
    const secret = `whsec_${Buffer.from('twenty-four bytes of key').toString('base64')}`;
    const headers = standardWebhookHeaders(signingKeys(secret), 'msg_1', now(), Buffer.from(BODY));
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test('signs id, time and body joined with dots', () => {
    const signature = hmacSha256(
      Buffer.from('correct horse battery'),
      Buffer.from(`msg_1.1700000000.${BODY}`),
    );
    expect(
      standardWebhookHeaders(signingKeys('correct horse battery'), 'msg_1', 1_700_000_000, BODY),
    ).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${signature.toString('base64')}`,
    });
  });
});
