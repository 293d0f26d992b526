import { join, resolve } from 'node:path';
import type { App } from '../http/app-type.ts';
import { readStaticFile, sendStaticFile } from '../http/response/static-file.ts';

/** The output of `scripts/build.ts` for browser/embed.entry.ts. */
const FILE = join(resolve(import.meta.dirname, '../../dist/embed'), 'embed.js');
/** Its address never changes, so other sites get a new version within an hour. */
const CACHE = 'public, max-age=3600';

/** Serves the script that shows forms on other sites; see docs/embedding.md. */
export function registerEmbedScript(app: App): void {
  const script = readStaticFile(FILE);
  app.get(
    '/embed.js',
    { config: { access: { kind: 'public' } }, schema: { hide: true } },
    (_request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      return sendStaticFile(reply, script, CACHE);
    },
  );
}
