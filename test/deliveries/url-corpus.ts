/**
 * Webhook URLs of every class known to slip through a guard. `refuse`: not stored. `accept`: stored as `stored`.
 * `block-at-connect`: stored, since the name is an ordinary one, but its `answers` (one per look-up) hold a forbidden
 * address. All of this is with no private network allowed.
 */
interface CorpusEntry {
  url: string;
  expected: 'accept' | 'refuse' | 'block-at-connect';
  problem?: 'not a URL' | 'too long' | 'credentials' | 'not public';
  stored?: string;
  answers?: string[];
}

/** The first and last address of every range that is not global unicast, and addresses of well-known services. */
const FORBIDDEN_IPV4 = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.100.100.200', // metadata of Alibaba Cloud
  '100.127.255.255',
  '127.0.0.0',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16', // platform address of Azure
  '169.254.0.0',
  '169.254.169.254', // metadata of most clouds
  '169.254.170.2', // task credentials of Amazon ECS
  '169.254.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.0',
  '192.0.0.192', // metadata of Oracle Cloud
  '192.0.0.255',
  '192.0.2.0',
  '192.0.2.255',
  '192.88.99.0',
  '192.88.99.255',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.0',
  '198.51.100.255',
  '203.0.113.0',
  '203.0.113.255',
  '224.0.0.0',
  '239.255.255.255',
  '240.0.0.0',
  '255.255.255.255',
];

/** The addresses next to those ranges. */
const PUBLIC_IPV4 = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '203.0.114.0',
  '223.255.255.255',
];

/** Spellings of 127.0.0.1, 169.254.169.254, 10.0.0.1 and 0.0.0.0 that a URL parser turns into the plain literal. */
const SPELLED_IPV4 = [
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0X7F.0X0.0X0.0X1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.0.0.1..',
  '00000177.0x0.0.1',
  '0x0000007f.1',
  '127.0x1',
  '127%2e0%2e0%2e1',
  '%31%32%37.0.0.1',
  '%6c%6f%63%61%6c%68%6f%73%74',
  '１２７.0.0.1',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '①②⑦.⓪.⓪.①',
  '𝟙𝟚𝟟.𝟘.𝟘.𝟙',
  '２１３０７０６４３３',
  '2852039166',
  '0xa9fea9fe',
  '0xa9.0xfe.0xa9.0xfe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  '167772161',
  '10.1',
  '012.0.0.1',
  '0',
  '0.0',
  '0x0',
  '00',
  '0x',
];

/** Addresses that are not in public use, or that lead to IPv4 addresses unchecked. */
const FORBIDDEN_IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::127.0.0.1', // compatible, deprecated
  '::a9fe:a9fe',
  '::8.8.8.8',
  '::ffff:127.0.0.1', // mapped
  '::ffff:7f00:1',
  '::FFFF:10.0.0.1',
  '0:0:0:0:0:ffff:169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1', // translated, RFC 2765
  '64:ff9b::127.0.0.1', // NAT64
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::10.0.0.1', // local NAT64
  '100::1', // discard
  '100:0:0:1::1',
  '2001::1', // Teredo and the other protocol assignments
  '2001:0:7f00:1::',
  '2001:2::1', // benchmarking
  '2001:10::1', // ORCHID
  '2001:20::1', // ORCHIDv2
  '2001:1ff:ffff::1',
  '2001:db8::1', // documentation
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::1', // 6to4
  '2002:7f00:1::',
  '2002:a9fe:a9fe::',
  '2002:ffff:ffff::1',
  '3fff::1', // documentation
  '3fff:fff:ffff::1',
  '4000::1', // unassigned
  '5f00::1', // segment routing
  '1fff::1',
  'fc00::1', // unique local
  'fd00:ec2::254', // metadata of Amazon over IPv6
  'fdff:ffff::1',
  'fe80::1', // link local
  'febf::1',
  'fec0::1', // site local, deprecated
  'feff::1',
  'ff02::1', // multicast
  'ff0e::1',
];

const PUBLIC_IPV6 = [
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '3ffe:ffff::1',
  '3fff:1000::1',
];

const INNER_NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost:8080',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛocalhost',
  'api.localhost',
  'a.b.localhost.',
  'printer.local',
  'printer.local.',
  'vault.internal',
  'db.prod.internal',
  'router.home.arpa',
  'localhost.localdomain',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'METADATA.google.INTERNAL',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
  'instance-data',
  'metadata',
  'intranet',
  'intranet.',
  'n8n:5678',
  'redis:6379',
  'com',
];

/** As sent, or once escaped. */
const TOO_LONG = [`http://example.com/${'a'.repeat(2030)}`, `http://example.com/${'ü'.repeat(400)}`];

const MALFORMED = [
  '',
  ' ',
  'example.com',
  '//example.com/',
  '/hook',
  'hook',
  'http:',
  'http:/',
  'http://',
  'https://',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:///127.0.0.1/',
  'http:////example.com/',
  'https:\\\\127.0.0.1\\',
  'http:\\\\example.com/',
  'http://example.com\\@127.0.0.1/',
  'http://127.0.0.1\\.example.com/',
  'http://12\n7.0.0.1/',
  'http://127.0.0.1\t/',
  'http://exam\rple.com/',
  '\nhttp://example.com/',
  ' http://example.com/',
  'http://example.com/ ',
  'http://example.com/a b',
  'http://example.com/\u0000',
  'http://example.com/\u007f',
  'http://example.com/\u0085',
  'http://example.com/\u00a0',
  'http://local\u00adhost/',
  'http://local\u200bhost/',
  'http://127.0.0.1\u2060/',
  'http://example.com/\u2028',
  'http://example.com/\u202e',
  'http://example.com/\ufeff',
  'http://example.com/\ud800',
  'http://exa mple.com/',
  'http://exa%20mple.com/',
  'http://exa%00mple.com/',
  'http://a%2fb.com/',
  'http://a%40b.com/',
  'http://a..example.com/',
  'http://.example.com/',
  'http://example.com../',
  'http://localhost../',
  'http://*.example.com/',
  'http://exa$mple.com/',
  'http://exa,mple.com/',
  "http://exa'mple.com/",
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://4294967296/',
  'http://0x100000000/',
  'http://example.0x7f/',
  'http://[::1/',
  'http://::1/',
  'http://[::1%25lo]/',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://[127.0.0.1]/',
  'http://[1::2::3]/',
  'http://[v1.fe80]/',
  'http://[]/',
  'http://example.com:99999/',
  'http://example.com:-1/',
  'http://example.com:http/',
  'http://example.com:0/',
  'http://?x=1',
  'http://#x',
  'http://:80/',
  `http://${'a'.repeat(64)}.example.com/`,
  `http://${'a.'.repeat(127)}example.com/`,
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'dict://127.0.0.1:11211/stats',
  'ldap://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'blob:http://example.com/x',
  'ws://example.com/',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'jar:http://example.com!/',
  'view-source:http://example.com/',
  'httpx://example.com/',
  'http//example.com/',
];

const WITH_CREDENTIALS = [
  'http://user@example.com/',
  'http://user:password@example.com/',
  'http://:password@example.com/',
  'http://@example.com/',
  'http://:@example.com/',
  'http://example.com@127.0.0.1/',
  'http://example.com:80@127.0.0.1/',
  'http://127.0.0.1@example.com/',
  'http://a@b@127.0.0.1/',
];

const ACCEPTED: [url: string, stored: string][] = [
  ['https://example.com', 'https://example.com/'],
  ['https://example.com/', 'https://example.com/'],
  ['http://example.com/hook', 'http://example.com/hook'],
  ['HTTPS://EXAMPLE.COM/Hook', 'https://example.com/Hook'],
  ['https://example.com./hook', 'https://example.com/hook'],
  ['https://example.com:8443/hook', 'https://example.com:8443/hook'],
  ['https://example.com:443/hook', 'https://example.com/hook'],
  ['http://example.com:80?x=1', 'http://example.com/?x=1'],
  ['https://example.com/hook?to=a@b.example&x=%20', 'https://example.com/hook?to=a@b.example&x=%20'],
  ['https://example.com/a@b', 'https://example.com/a@b'],
  ['https://example.com/../../x', 'https://example.com/x'],
  ['https://example.com/hook#part', 'https://example.com/hook'],
  ['https://example.com/?next=http://127.0.0.1/', 'https://example.com/?next=http://127.0.0.1/'],
  ['https://ex%61mple.com/', 'https://example.com/'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
  ['https://ｅｘａｍｐｌｅ.com/', 'https://example.com/'],
  ['https://my_host.example.com/', 'https://my_host.example.com/'],
  ['https://a-b.example.co.uk/', 'https://a-b.example.co.uk/'],
  ['https://127.0.0.1.example.com/', 'https://127.0.0.1.example.com/'],
  ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ['https://mylocalhost.com/', 'https://mylocalhost.com/'],
  ['https://internal.example.com/', 'https://internal.example.com/'],
  ['https://metadata.example.com/', 'https://metadata.example.com/'],
  ['https://hooks.zapier.com/hooks/catch/1/abc/', 'https://hooks.zapier.com/hooks/catch/1/abc/'],
  ['https://hook.eu1.make.com/abc', 'https://hook.eu1.make.com/abc'],
  [`https://example.com/${'a'.repeat(2000)}`, `https://example.com/${'a'.repeat(2000)}`],
  ['http://134744072/', 'http://8.8.8.8/'],
  ['http://0x8.0x8.2056/', 'http://8.8.8.8/'],
];

/** The answers to successive look-ups of a name; addresses of one answer are separated by spaces. */
const RESOLVING_TO: [host: string, ...answers: string[]][] = [
  ['loopback.example.com', '127.0.0.1'],
  ['loopback6.example.com', '::1'],
  ['any.example.com', '0.0.0.0'],
  ['any6.example.com', '::'],
  ['mapped.example.com', '::ffff:127.0.0.1'],
  ['compatible.example.com', '::127.0.0.1'],
  ['nat64.example.com', '64:ff9b::7f00:1'],
  ['sixtofour.example.com', '2002:7f00:1::'],
  ['teredo.example.com', '2001:0:7f00:1::1'],
  ['private.example.com', '10.0.0.1'],
  ['shared.example.com', '100.100.100.200'],
  ['unique-local.example.com', 'fd00:ec2::254'],
  ['link-local.example.com', 'fe80::1'],
  ['zone.example.com', 'fe80::1%lo'],
  ['multicast.example.com', '224.0.0.1'],
  ['169.254.169.254.nip.io', '169.254.169.254'],
  ['127.0.0.1.nip.io', '127.0.0.1'],
  ['7f000001.nip.io', '127.0.0.1'],
  ['localtest.me', '127.0.0.1'],
  ['azure.example.com', '168.63.129.16'],
  ['not-an-address.example.com', 'localhost'],
  ['short-form.example.com', '127.1'],
  ['mixed.example.com', '93.184.215.14 127.0.0.1'],
  ['mixed-first.example.com', '127.0.0.1 93.184.215.14'],
  ['mixed-families.example.com', '93.184.215.14 ::1'],
  ['mixed-among-many.example.com', '93.184.215.14 93.184.215.15 93.184.215.16 10.0.0.1'],
  ['mixed6.example.com', '2606:4700:4700::1111 fd00::1'],
];

export const URL_CORPUS: CorpusEntry[] = [
  ...[...FORBIDDEN_IPV4, ...SPELLED_IPV4, ...INNER_NAMES].map((host) =>
    refused(`http://${host}/hook`, 'not public'),
  ),
  ...FORBIDDEN_IPV6.map((address) => refused(`http://[${address}]/hook`, 'not public')),
  refused('https://127.0.0.1/hook', 'not public'),
  refused('https://[::1]:8443/hook', 'not public'),
  refused('HTTP://127.0.0.1:22', 'not public'),
  refused('http://127.0.0.1?x=1', 'not public'),
  refused('http://127.0.0.1#x', 'not public'),
  ...WITH_CREDENTIALS.map((url) => refused(url, 'credentials')),
  ...MALFORMED.map((url) => refused(url, 'not a URL')),
  ...TOO_LONG.map((url) => refused(url, 'too long')),
  ...PUBLIC_IPV4.map((address) => accepted(`http://${address}/hook`, `http://${address}/hook`)),
  ...PUBLIC_IPV6.map((address) => accepted(`https://[${address}]/hook`, `https://[${address}]/hook`)),
  ...ACCEPTED.map(([url, stored]) => accepted(url, stored)),
  ...RESOLVING_TO.map(
    ([host, ...answers]): CorpusEntry => ({
      url: `http://${host}/hook`,
      expected: 'block-at-connect',
      answers,
    }),
  ),
];

function refused(url: string, problem: NonNullable<CorpusEntry['problem']>): CorpusEntry {
  return { url, expected: 'refuse', problem };
}

function accepted(url: string, stored: string): CorpusEntry {
  return { url, expected: 'accept', stored };
}
