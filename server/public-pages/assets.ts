import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';

/** What `scripts/build.ts` made and compressed, read once. */
const FOLDER = resolve(import.meta.dirname, '../../dist/public-pages');
const SCRIPT_PREFIX = 'server/public-pages/browser/';
const STYLE_PREFIX = 'server/public-pages/styles/';
/** The name of a file changes with its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

interface ManifestEntry {
  file: string;
  isEntry?: boolean;
}

interface Asset {
  type: string;
  plain: Buffer;
  gzip: Buffer;
  brotli: Buffer;
}

const manifest: Record<string, ManifestEntry> = JSON.parse(readText('manifest.json'));
// All at once: a running service must not see what a later build leaves of them.
const styles = new Map(
  Object.entries(manifest).flatMap(([source, { file }]) =>
    source.startsWith(STYLE_PREFIX) ? [[basename(source, '.css'), readText(file).trim()]] : [],
  ),
);
const assets = new Map<string, Asset>();

/** Path of a script by the name of its entry: `form` for `browser/form.entry.ts`. */
export function scriptPath(name: string): string {
  return `/assets/${fileOf(`${SCRIPT_PREFIX}${name}.entry.ts`)}`;
}

/** A style sheet by its name: `base` for `styles/base.css`; empty for one that does not exist. */
export function styleText(name: string): string {
  return styles.get(name) ?? '';
}

/** Serves the scripts, to any site: pages there load them with `<script type="module">`. */
export function registerAssetRoutes(app: App): void {
  for (const { file } of Object.values(manifest)) if (file.endsWith('.js')) assets.set(file, read(file));
  app.get<{ Params: { file: string } }>(
    '/assets/:file',
    { config: { access: { kind: 'public' } }, schema: { hide: true } },
    async ({ params, headers }, reply) => {
      const asset = assets.get(params.file);
      if (!asset) throw notFound('File');
      const [encoding, bytes] = encoded(asset, headers['accept-encoding'] ?? '');
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply
        .headers({ 'cache-control': FOR_EVER, vary: 'accept-encoding', 'access-control-allow-origin': '*' })
        .type(asset.type)
        .send(bytes);
    },
  );
}

function encoded({ plain, gzip, brotli }: Asset, accepted: string): [string | null, Buffer] {
  if (/\bbr\b/.test(accepted)) return ['br', brotli];
  return /\bgzip\b/.test(accepted) ? ['gzip', gzip] : [null, plain];
}

function read(file: string): Asset {
  return {
    type: 'text/javascript; charset=utf-8',
    plain: readFileSync(join(FOLDER, file)),
    gzip: readFileSync(join(FOLDER, `${file}.gz`)),
    brotli: readFileSync(join(FOLDER, `${file}.br`)),
  };
}

function fileOf(source: string): string {
  const entry = manifest[source];
  if (!entry) throw new Error(`${source} was not built: run \`npm start\` once.`);
  return entry.file;
}

function readText(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}
