import { expect, test } from 'vitest';
import { checkCustomHeaders } from '../../server/integrations/custom-headers.ts';

const BLOCKED =
  `Authorization, X-Webhook-Signature, Content-Type, Content-Length, Host, Cookie, X-CSRF-Token, X-Forwarded-For,
  X-Forwarded-Proto, X-Real-IP, Transfer-Encoding, Connection, Keep-Alive, TE, Trailer, Upgrade, Expect, Proxy-Authorization,
  Proxy-Authenticate, Proxy-Connection, Content-Encoding, Accept-Encoding, Metadata-Flavor, Metadata,
  X-aws-ec2-metadata-token, X-aws-ec2-metadata-token-ttl-seconds, X-HTTP-Method-Override, webhook-id, webhook-timestamp,
  webhook-signature, webhook-anything, X-Forwarded-Host, X-Forwarded-Anything, Forwarded, Via, X_Forwarded_For, Content_Type,
  X-Google-Metadata-Request, HTTP2-Settings, Max-Forwards, Set-Cookie`
    .split(',')
    .map((name) => name.trim());

test.each(BLOCKED.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]))(
  '%s is refused',
  (name) => {
    expect(checkCustomHeaders({ 'X-Fine': 'a', [name]: 'a' })).toBe(
      `The '${name}' header cannot be customized for security reasons.`,
    );
  },
);

test('the name of an object part is refused, not lost', () => {
  expect(checkCustomHeaders(JSON.parse('{"__proto__":"a"}'))).toBe(
    "The '__proto__' header cannot be customized for security reasons.",
  );
});

test.each([
  undefined,
  null,
  {},
  [],
  { 'X-Api-Key': 'secret' },
  { 'User-Agent': 'mine/1.0', Accept: '*/*', Referer: 'https://example.com/', Origin: 'https://example.com' },
  { 'X-Empty': '', 'X-Tab': 'a\tb c', 'X-All': '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' },
  { "!#$%&'*+.^_`|~0aZ-": 'a' },
  { webhook: 'a', Authorization2: 'a', 'X-Authorization': 'a', 'X-Forwarded': 'a', constructor: 'a' },
  { [`X-${'a'.repeat(253)}`]: 'a'.repeat(1024) },
  numbered(20),
])('%j is fine', (headers) => {
  expect(checkCustomHeaders(headers)).toBeNull();
});

test.each(['text', 1, true, ['a'], [['X-A', 'a']]])('%j is not a set of headers', (headers) => {
  expect(checkCustomHeaders(headers)).toBe('Custom headers must be an object of names and values.');
});

test('twenty headers are the limit', () => {
  expect(checkCustomHeaders(numbered(21))).toBe('Maximum 20 custom headers allowed.');
});

test.each(['', ' ', '\t'])('a name must not be blank (%j)', (name) => {
  expect(checkCustomHeaders({ [name]: 'a' })).toBe('Header names must be non-empty strings.');
});

test('a name has 255 characters at most, and a long one is not repeated in full', () => {
  expect(checkCustomHeaders({ ['a'.repeat(256)]: 'a' })).toBe(
    `Header name '${'a'.repeat(64)}' exceeds 255 characters.`,
  );
});

test.each([
  'X A',
  'X:A',
  ':path',
  'X-A\r\nB',
  'X-\u0000',
  'X-Ü',
  'X-\u{1F600}',
  'X(A)',
  'X,A',
  'X"A',
  'X/A',
  'X{A}',
  ' X-A',
  'X-A ',
])('a name must be a token (%j)', (name) => {
  expect(checkCustomHeaders({ [name]: 'a' })).toBe(
    `Header name '${name}' contains characters that are not allowed.`,
  );
});

test('a blocked name with spaces around it is still blocked', () => {
  expect(checkCustomHeaders({ ' Host ': 'a' })).toBe(
    "The ' Host ' header cannot be customized for security reasons.",
  );
});

test.each([null, 1, true, ['a'], { a: 1 }])('a value must be a string (%j)', (value) => {
  expect(checkCustomHeaders({ 'X-A': value })).toBe(
    "Header values must be strings. 'X-A' has invalid value type.",
  );
});

test('a value has 1024 characters at most', () => {
  expect(checkCustomHeaders({ 'X-A': 'a'.repeat(1025) })).toBe(
    "Header value for 'X-A' exceeds 1024 characters.",
  );
});

test.each([
  'a\r\nX-B: c',
  'a\nb',
  'a\rb',
  'a\u0000',
  'a\u007f',
  'a\u001b',
  'é',
  '\u{1F600}',
  '\ud800',
  '\u00a0',
  '\u2028',
])('a value is visible ASCII (%j)', (value) => {
  expect(checkCustomHeaders({ 'X-A': value })).toBe(
    "Header value for 'X-A' may only contain visible ASCII characters, spaces and tabs.",
  );
});

test('one name in two spellings is refused', () => {
  expect(checkCustomHeaders({ 'X-Key': 'a', 'x-key': 'b' })).toBe("Header 'x-key' is given more than once.");
});

function numbered(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'a']));
}
