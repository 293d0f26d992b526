import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { FastifyContextConfig, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { App } from '../app-type.ts';
import { notFound, unknownAddress } from '../errors.ts';
import { wantsHtml } from '../request/wants-html.ts';
import { CONTENT_TYPES, FOR_EVER, readStaticFile, type StaticFile, sendStaticFile } from './static-file.ts';

/** Built by `scripts/build.ts`. */
const FOLDER = resolve(import.meta.dirname, '../../../dist/dashboard');
/** Addresses of screens: a browser gets the application there, a program JSON as everywhere. */
export const SCREENS = [
  '/',
  '/sign-in',
  '/register',
  '/password',
  '/connect',
  '/workspaces',
  '/workspaces/*',
  '/account',
  '/account/*',
];
/** Addresses at which people may look for a screen, and where it is. Programs get a 404 there. */
const GUESSED = new Map([
  ['/login', '/sign-in'],
  ['/signin', '/sign-in'],
  ['/signup', '/register'],
  ['/sign-up', '/register'],
  ['/forgot-password', '/password'],
  ['/reset-password', '/password'],
  ['/dashboard', '/'],
  ['/admin', '/'],
]);
/** The place of the nonce in the built page. */
const NONCE = /__NONCE__/g;
const NONCE_BYTES = 16;

/** Shows something else than the dashboard under some host names. */
interface Door {
  enter: preHandlerAsyncHookHandler;
  failurePage: Required<FastifyContextConfig>['failurePage'];
}

interface BuiltDashboard {
  page: string;
  assets: ReadonlyMap<string, StaticFile>;
}

let builtDashboard: BuiltDashboard | undefined;

/** Serves the dashboard: one page for all its screens, and the files it loads. */
export function registerDashboard(app: App, door: Door): void {
  const config = { access: { kind: 'public' } } as const;
  const screen = {
    config: { ...config, failurePage: door.failurePage },
    preHandler: door.enter,
    schema: { hide: true },
  };
  builtDashboard ??= readDashboard();
  const { page, assets } = builtDashboard;

  for (const path of SCREENS) {
    app.get(path, screen, async (request, reply) => {
      if (wantsHtml(request)) return sendPage(reply, page);
      // A program that asks for the address printed at the start is shown what it can do here.
      if (path === '/') return reply.header('vary', 'accept').redirect('/api');
      throw unknownAddress();
    });
  }

  app.get<{ Params: { file: string } }>(
    '/assets/dashboard/:file',
    { config, schema: { hide: true } },
    async ({ params: { file } }, reply) => {
      const asset = assets.get(file);
      if (!asset) throw notFound('File');
      return sendStaticFile(reply, asset, FOR_EVER);
    },
  );
}

/** All at once, 3 MB: a running service must not see what a later build leaves of them. */
function readDashboard(): BuiltDashboard {
  const names = readdirSync(FOLDER).filter((name) => extname(name) in CONTENT_TYPES);
  return {
    page: readFileSync(join(FOLDER, 'index.html'), 'utf8'),
    assets: new Map(names.map((name) => [name, readStaticFile(join(FOLDER, name))])),
  };
}

/** The screen that a browser which opens this address looks for. */
export function guessedScreen(request: FastifyRequest): string | undefined {
  const isOpened = request.method === 'GET' && wantsHtml(request);
  return isOpened ? GUESSED.get(request.url.split('?')[0] ?? '') : undefined;
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  return reply
    .headers({ 'content-security-policy': contentPolicy(nonce), vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE, nonce));
}

/** Only the service's own script files run; the nonce is for styles that libraries add at run time. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: http: data: blob:",
    'media-src https: http: blob:',
    "connect-src 'self'",
    // For the preview of a form.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
