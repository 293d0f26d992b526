import { describe, expect, test } from 'vitest';
import { checkWebhookUrl } from '../../server/deliveries/webhook-url.ts';
import { isAllowedAddress, isLoopbackAllowed, parseAllowedNetworks } from '../../server/outbound/address.ts';
import { URL_CORPUS } from './url-corpus.ts';

const NONE = parseAllowedNetworks('');
const LOOPBACK = parseAllowedNetworks('127.0.0.0/8, ::1');
const INNER = parseAllowedNetworks('10.0.0.0/8 fd00::/8');
const PROBLEMS = {
  'not a URL': 'The webhook URL must be a valid URL.',
  'too long': 'The webhook URL may not be greater than 2048 characters.',
  credentials: 'The webhook URL cannot contain embedded credentials.',
  'not public': 'The webhook URL must resolve only to public IP addresses.',
};

describe('webhook URLs at save', () => {
  test('the corpus is large and repeats nothing', () => {
    expect(URL_CORPUS.length).toBeGreaterThanOrEqual(350);
    expect(new Set(URL_CORPUS.map((entry) => entry.url)).size).toBe(URL_CORPUS.length);
  });

  // Titles are JSON, since some of these would garble a terminal.
  test.each(URL_CORPUS.map((entry) => [JSON.stringify(entry.url), entry] as const))('%s', (_name, entry) => {
    const { url, expected, problem, stored } = entry;
    if (expected === 'refuse') {
      expect(checkWebhookUrl(url, NONE)).toEqual({ problem: PROBLEMS[problem!] });
    } else {
      expect(checkWebhookUrl(url, NONE)).toEqual({ url: stored ?? url });
    }
  });

  test.each(URL_CORPUS.filter((entry) => entry.expected === 'accept'))(
    '$stored is stored as it is',
    ({ stored }) => {
      expect(checkWebhookUrl(stored, NONE)).toEqual({ url: stored });
    },
  );

  test.each([undefined, null, 1, true, {}, [], ['https://example.com/']])(
    'a value that is not text (%j)',
    (value) => {
      expect(checkWebhookUrl(value, NONE)).toEqual({ problem: PROBLEMS['not a URL'] });
    },
  );

  test.each([
    'http://localhost:1234/',
    'http://127.0.0.1:1234/',
    'http://[::1]:1234/',
    'http://a.localhost/',
  ])('a trial on this machine may use %s', (url) => {
    expect(checkWebhookUrl(url, LOOPBACK)).toEqual({ url });
    expect(checkWebhookUrl(url, INNER)).toEqual({ problem: PROBLEMS['not public'] });
  });

  test('one open loopback address is enough for localhost', () => {
    expect(checkWebhookUrl('http://localhost/', parseAllowedNetworks('127.0.0.0/8'))).toHaveProperty('url');
    expect(checkWebhookUrl('http://localhost/', parseAllowedNetworks('::1'))).toHaveProperty('url');
  });

  test.each(['http://n8n:5678/', 'http://hooks.internal/', 'http://printer.local/'])(
    '%s is a name of an inner network, which must be opened first',
    (url) => {
      expect(checkWebhookUrl(url, INNER)).toEqual({ url });
      expect(checkWebhookUrl(url, LOOPBACK)).toEqual({ problem: PROBLEMS['not public'] });
    },
  );

  test('metadata services stay closed by name, whatever is opened', () => {
    const everything = parseAllowedNetworks('0.0.0.0/0 ::/0');
    expect(checkWebhookUrl('http://metadata.google.internal/', everything)).toHaveProperty('problem');
  });
});

describe('allowed networks', () => {
  test('open exactly what they name, mapped spelling included', () => {
    expect(isAllowedAddress('10.1.2.3', INNER)).toBe(true);
    expect(isAllowedAddress('::ffff:10.1.2.3', INNER)).toBe(true);
    expect(isAllowedAddress('::ffff:a01:203', INNER)).toBe(true);
    expect(isAllowedAddress('fd12::1', INNER)).toBe(true);
    expect(isAllowedAddress('::10.1.2.3', INNER)).toBe(false);
    expect(isAllowedAddress('11.0.0.1', INNER)).toBe(true);
    expect(isAllowedAddress('::ffff:11.0.0.1', INNER)).toBe(false);
    expect(isAllowedAddress('127.0.0.1', INNER)).toBe(false);
    expect(isAllowedAddress('fc00::1', INNER)).toBe(false);
  });

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '10.0.0.1 ',
    'fe80::1%eth0',
    '::1%lo',
    '[::1]',
    '8.8.8.8:80',
  ])('"%s" is not an address and never allowed', (text) => {
    expect(isAllowedAddress(text, parseAllowedNetworks('0.0.0.0/0 ::/0'))).toBe(false);
  });

  test('are read from commas, spaces and bare addresses', () => {
    expect(parseAllowedNetworks(' 10.0.0.0/8,fd00::/8\n192.168.1.5 , ::1 ').cidrs).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
      '192.168.1.5/32',
      '::1/128',
    ]);
    expect(parseAllowedNetworks(' , ').cidrs).toEqual([]);
  });

  test('know loopback from more', () => {
    expect([LOOPBACK, INNER, NONE].map(isLoopbackAllowed)).toEqual([true, false, false]);
    expect([LOOPBACK, INNER, NONE].map((networks) => networks.reachesBeyondLoopback)).toEqual([
      false,
      true,
      false,
    ]);
    expect(parseAllowedNetworks('127.0.0.0/7').reachesBeyondLoopback).toBe(true);
  });

  test.each([
    'on',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    'fe80::1%lo',
    '0x7f.1',
  ])('"%s" is refused with a hint', (text) => {
    expect(() => parseAllowedNetworks(`10.0.0.0/8 ${text}`)).toThrow(
      `"${text}" is not a network: write it as CIDR, for example 10.0.0.0/8 or fd00::/8`,
    );
  });
});
