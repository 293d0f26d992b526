import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from '../http/app-type.ts';

/** What `scripts/build.ts` made of browser/embed.entry.ts. */
const FILE = join(resolve(import.meta.dirname, '../../dist/embed'), 'embed.js');
/** Its address stays, so it is asked for again: pages of other sites have a new version within the hour. */
const CACHE = 'public, max-age=3600';

/** Serves the script that shows forms on other sites; see docs/embedding.md. */
export function registerEmbedScript(app: App): void {
  const [plain, gzip, brotli] = ['', '.gz', '.br'].map((ending) => readFileSync(FILE + ending));
  app.get(
    '/embed.js',
    { config: { access: { kind: 'public' } }, schema: { hide: true } },
    (request, reply) => {
      const accepted = request.headers['accept-encoding'] ?? '';
      const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply
        .headers({
          'cache-control': CACHE,
          vary: 'accept-encoding',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        })
        .type('text/javascript; charset=utf-8')
        .send(encoding === 'br' ? brotli : encoding === 'gzip' ? gzip : plain);
    },
  );
}
