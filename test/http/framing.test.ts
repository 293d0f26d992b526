import { describe, expect, test } from 'vitest';
import {
  type Caller,
  callersOf,
  prepareCall,
  prepareState,
  send,
  useWorld,
} from '../spec/authorization-callers.ts';
import { nameOf, ROUTES } from '../spec/authorization-routes.ts';

const world = useWorld();

/** Routes that answer requests for `text/html` with a page, even for an error. */
const PAGES = [
  'GET /forms/:form',
  'POST /forms/:form',
  'GET /forms/:form/thank-you',
  'POST /forms/:form/unlock',
  'GET /forms/:form/results',
  'GET /forms/:form/receipt',
  'GET /forms/:form/stop-mails',
  'POST /forms/:form/stop-mails',
  'GET /forms/:form/confirm',
  'POST /forms/:form/confirm',
  'GET /forms/:form/pay',
  'POST /forms/:form/pay',
  'POST /forms/:form/send-again',
  'GET /forms/:form/code',
  'GET /forms/:form/code/:block',
];

describe('only pages of forms may be framed', () => {
  test.each(ROUTES)('$method $path', async (row) => {
    // The dashboard shows previews in a frame to the form's owner.
    const isPreview = row.path.startsWith('/forms/preview/');
    const callers = (await callersOf(world, row)).filter(({ name }) => ['no token', 'admin'].includes(name));
    const unchanged = row.method === 'GET' ? await world.newPlace() : null;
    for (const accept of ['text/html', '*/*'])
      for (const caller of callers as Caller[]) {
        await prepareState(world, row, caller.person);
        const call = await prepareCall(world, row, unchanged ?? (await world.newPlace()), caller.person);
        const answer = await send(world, call, caller.credentials, { accept });
        const policy = answer.headers.get('content-security-policy') ?? '';
        const isPage =
          answer.headers.get('content-type')?.startsWith('text/html') &&
          (PAGES.includes(nameOf(row)) || isPreview);
        expect([accept, caller.name, /frame-ancestors ([^;]*)/.exec(policy)?.[1]]).toEqual([
          accept,
          caller.name,
          isPage ? (isPreview ? "'self'" : '*') : "'none'",
        ]);
      }
  });

  test('nor what has no address', async () => {
    for (const path of ['/nowhere', '/forms/none/nowhere', '/%', `/forms/${'x'.repeat(300)}`]) {
      const answer = await world.service.request('GET', path, { headers: { accept: 'text/html' } });
      expect([path, answer.headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
  });
});
