import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { NotBuiltError } from '../../built-files.ts';
import type { App } from '../../http/app-type.ts';
import { notFound } from '../../http/errors.ts';
import {
  FOR_EVER,
  readStaticFile,
  type StaticFile,
  sendStaticFile,
} from '../../http/response/static-file.ts';

/** The output of `scripts/build.ts`, already compressed; read once. */
const FOLDER = resolve(import.meta.dirname, '../../../dist/public-pages');
const SCRIPT_PREFIX = 'server/public-pages/browser/';
const STYLE_PREFIX = 'server/public-pages/styles/';

const manifest: Record<string, { file: string }> = JSON.parse(readManifest());
// All read at start: a later build may replace the files under a running service.
const styles = new Map(
  Object.entries(manifest).flatMap(([source, { file }]) =>
    source.startsWith(STYLE_PREFIX) ? [[basename(source, '.css'), readText(file).trim()]] : [],
  ),
);
const assets = new Map<string, StaticFile>();

/** Path of a script by the name of its entry: `form` for `browser/form.entry.ts`. */
export function scriptPath(name: string): string {
  return `/assets/${fileOf(`${SCRIPT_PREFIX}${name}.entry.ts`)}`;
}

/** A style sheet by its name: `base` for `styles/base.css`; empty for one that does not exist. */
export function styleText(name: string): string {
  return styles.get(name) ?? '';
}

/** Serves the scripts to every site, because pages there load them with `<script type="module">`. */
export function registerAssetRoutes(app: App): void {
  for (const { file } of Object.values(manifest))
    if (file.endsWith('.js')) assets.set(file, readStaticFile(join(FOLDER, file)));
  app.get<{ Params: { file: string } }>(
    '/assets/:file',
    { config: { access: { kind: 'public' } }, schema: { hide: true } },
    async ({ params }, reply) => {
      const asset = assets.get(params.file);
      if (!asset) throw notFound('File');
      return sendStaticFile(reply.header('access-control-allow-origin', '*'), asset, FOR_EVER);
    },
  );
}

function fileOf(source: string): string {
  const entry = manifest[source];
  if (!entry) throw new Error(`${source} was not built: run \`npm start\` once.`);
  return entry.file;
}

/** @throws NotBuiltError */
function readManifest(): string {
  try {
    return readText('manifest.json');
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new NotBuiltError() : error;
  }
}

function readText(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}
