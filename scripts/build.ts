import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/**
 * Builds what browsers are sent into dist/, and nothing when its sources are the ones it was built from last: scripts
 * bundled and split into what every form needs and what some need, styles one by one.
 */
const ROOT = resolve(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'dist/public-pages');
const STAMP = join(OUTPUT, 'sources.sha256');

const SCRIPTS = globSync('server/public-pages/browser/*.entry.ts', { cwd: ROOT });
const STYLES = globSync('server/public-pages/styles/*.css', { cwd: ROOT });
const SOURCES = ['server/public-pages/browser/**/*.ts', 'server/public-pages/styles/*.css', 'fields/**/*.ts'];
const SETTINGS = ['scripts/build.ts', 'package-lock.json'];

const wanted = fingerprint();
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) await buildPublicPages();

async function buildPublicPages(): Promise<void> {
  // Loaded only when there is something to build: starting again should cost nothing.
  const { build } = await import('vite');
  // Built beside and put in place at the end: a service that starts meanwhile never sees half of it.
  const scratch = `${OUTPUT}.${process.pid}`;
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: scratch,
      target: 'es2022',
      modulePreload: false,
      manifest: 'manifest.json',
      rollupOptions: {
        // Of these files a page takes what it uses; the tables of the others would come along.
        treeshake: { moduleSideEffects: (id) => !id.includes('/fields/') },
        input: Object.fromEntries([...SCRIPTS, ...STYLES].map((file) => [entryName(file), join(ROOT, file)])),
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          assetFileNames: '[name]-[hash][extname]',
        },
      },
    },
  });
  writeFileSync(join(scratch, basename(STAMP)), wanted);
  mkdirSync(join(OUTPUT, '..'), { recursive: true });
  rmSync(OUTPUT, { recursive: true, force: true });
  renameSync(scratch, OUTPUT);
}

/** `form` for `…/form.entry.ts`, `style-base` for `…/base.css`. */
function entryName(file: string): string {
  const name = basename(file);
  return name.endsWith('.css')
    ? `style-${name.slice(0, -'.css'.length)}`
    : name.slice(0, -'.entry.ts'.length);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of [...globSync([...SOURCES], { cwd: ROOT }).sort(), ...SETTINGS]) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}
