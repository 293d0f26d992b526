import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, isIP, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StubDns, startStubDns } from '../faults/stub-dns.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { recordConnectionAttempts } from './receivers.ts';
import { URL_CORPUS } from './url-corpus.ts';

/** Ordinary names with forbidden addresses, stored by both routes, resolved by a name server; listeners count the calls. */
const home = useHome({ env: { WEBHOOK_ALLOWED_NETWORKS: '' } });
let names: StubDns;
const { Resolver } = dns;
let inner: Server[];
let port: number;
let connections = 0;

beforeAll(async () => {
  names = await startStubDns();
  process.env.NAME_SERVER = names.server;
  await import('../faults/preload-dns.ts');
  inner = await Promise.all(['127.0.0.1', '::1'].map((host) => listen(host)));
});
afterAll(() => {
  for (const server of inner) server.close();
  names.close();
  // Later test files in this process need the usual resolver.
  dns.Resolver = Resolver;
  syncBuiltinESMExports();
});

/** Both listen on one port, so that every spelling of loopback would reach a listener. */
function listen(host: string): Promise<Server> {
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  return new Promise((resolve) => {
    server.once('error', () => resolve(server));
    server.listen(host === '::1' ? port : 0, host, () => {
      port ??= (server.address() as { port: number }).port;
      resolve(server);
    });
  });
}

/** The names whose answers a name server can give; other tests cover the rest of the corpus with a fake look-up. */
const NAMES = URL_CORPUS.flatMap(({ url, expected, answers = [] }) => {
  const addresses = answers.flatMap((answer) => answer.split(' '));
  const isSayable = addresses.every((address) => isIP(address) !== 0 && !address.includes('%'));
  return expected === 'block-at-connect' && isSayable ? [{ name: new URL(url).hostname, addresses }] : [];
});

test('the corpus has two hundred addresses and more, of every kind', () => {
  expect(URL_CORPUS.length).toBeGreaterThan(350);
  const kinds = new Set(URL_CORPUS.map(({ expected }) => expected));
  expect([...kinds].sort()).toEqual(['accept', 'block-at-connect', 'refuse']);
  expect(NAMES.length).toBeGreaterThan(20);
});

test.each(['integration', 'partner hook'])(
  '%s: each is looked up once an attempt, and none is called',
  async (door) => {
    const attempts = recordConnectionAttempts();
    names.answer(Object.fromEntries(NAMES.map(({ name, addresses }) => [name, () => ({ addresses })])));
    const lookupsBefore = new Map(names.lookups);
    const form = await home.form();
    for (const { name } of NAMES) {
      const webhook_url = `http://${name}:${port}/hook`;
      const made =
        door === 'integration'
          ? await home.call('POST', `/open/forms/${form.id}/integrations`, {
              integration_id: 'webhook',
              data: { webhook_url },
            })
          : await home.call('POST', '/external/partner/webhook', { hookUrl: webhook_url, form_id: form.id });
      expect(made.status, made.text).toBe(200);
    }
    expect((await home.submit(form, {})).status).toBe(200);
    const { body: hooks } = await home.call('GET', `/open/forms/${form.id}/integrations`);
    expect(hooks).toHaveLength(NAMES.length);
    for (const { id, data } of hooks) {
      const { hostname } = new URL(data.webhook_url);
      // A second attempt may be under way: looked up, but not recorded yet.
      const events = await until(async (): Promise<any[] | null> => {
        const { body } = await home.call('GET', `/open/forms/${form.id}/integrations/${id}/events`);
        const list: any[] = body.data ?? body;
        const lookups = (names.lookups.get(hostname) ?? 0) - (lookupsBefore.get(hostname) ?? 0);
        return list.length > 0 && list.length === lookups ? list : null;
      });
      const shown = events.map(({ failure, failure_detail }) => [failure, failure_detail]);
      expect(shown[0], data.webhook_url).toEqual([
        'blocked_address',
        'The host resolves to an address that may not be reached.',
      ]);
    }
    expect(connections).toBe(0);
    // This process connects only to the service itself, for the requests of this test, and to the socket of its database.
    expect(attempts.filter((address) => isIP(address) !== 0 && address !== '127.0.0.1')).toEqual([]);
  },
);
