import { describe, expect, test } from 'vitest';
import { createSecretBox } from '../../server/secret-box.ts';

const box = createSecretBox(Buffer.alloc(32, 1));
const other = createSecretBox(Buffer.alloc(32, 2));

describe('the secret box', () => {
  test.each(['', 'a', 'secret', 'ü'.repeat(1000), '\u0000'])('gives back what it was given', (plain) => {
    expect(box.decrypt(box.encrypt(plain, 'here'), 'here')).toBe(plain);
  });

  test('opens nothing of another key or purpose', () => {
    const sealed = box.encrypt('secret', 'here');
    expect(other.decrypt(sealed, 'here')).toBeNull();
    expect(box.decrypt(sealed, 'there')).toBeNull();
  });

  test('opens nothing that was changed, cut or made longer, by a single byte', () => {
    const sealed = box.encrypt('secret', 'here');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(box.decrypt(changed, 'here'), `byte ${at}`).toBeNull();
      expect(box.decrypt(sealed.subarray(0, at), 'here'), `first ${at} bytes`).toBeNull();
    }
    expect(box.decrypt(Buffer.concat([sealed, Buffer.of(0)]), 'here')).toBeNull();
  });

  test('never writes the same twice, and shows nothing of what is inside', () => {
    const [one, two] = [box.encrypt('secret', 'here'), box.encrypt('secret', 'here')];
    expect(one.equals(two)).toBe(false);
    expect(one.includes('secret')).toBe(false);
  });

  test.each([0, 16, 31, 33, 64])('takes no key of %i bytes', (bytes) => {
    expect(() => createSecretBox(Buffer.alloc(bytes, 1))).toThrow(RangeError);
  });

  test('knows keys apart', () => {
    expect(box.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(box.fingerprint).not.toBe(other.fingerprint);
    expect(createSecretBox(Buffer.alloc(32, 1)).fingerprint).toBe(box.fingerprint);
  });
});
