import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig, Plugin, ResolvedConfig } from 'vite';
import { type BuiltFolder, fingerprintOf, isOutdated, stampIn } from '../server/built-files.ts';

/**
 * Builds everything for browsers into dist/, skipping targets whose sources have not changed since their last build. For the
 * pages of forms: scripts, split into what every form needs and what some need, and single style sheets. For the dashboard: one
 * application with a part per screen, compressed here once.
 */
const ROOT = resolve(import.meta.dirname, '..');
/** Which mode makes a script smallest depends on the names of its parts; it saves some fifty bytes on every form's page. */
const BROTLI_MODES = [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT];

/** Modules of a form's page; the other entries share nothing with it. */
const IN_FORM_ENTRY = /\/(?:fields|browser)\/(?!.*(?<!form)\.entry\.ts$).*\.ts$/;

interface Target {
  name: BuiltFolder;
  config(): Promise<InlineConfig>;
  /** Completes the built folder. */
  finish?(folder: string): Promise<void>;
}

const publicPages: Target = {
  name: 'public-pages',
  async config() {
    const scripts = globSync('server/public-pages/browser/!(embed).entry.ts', { cwd: ROOT });
    const styles = globSync('server/public-pages/styles/*.css', { cwd: ROOT });
    return {
      root: ROOT,
      publicDir: false,
      plugins: [{ name: 'plain-imports', configResolved: importPlainly }],
      build: {
        target: 'es2022',
        // The first versions that support `light-dark()`.
        cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
        modulePreload: false,
        manifest: 'manifest.json',
        rollupOptions: {
          // A page takes only what it uses from these files; without this it would get the tables of all others.
          treeshake: {
            moduleSideEffects: (id) => !id.includes('/fields/'),
            propertyReadSideEffects: false,
          },
          input: Object.fromEntries(
            [...scripts, ...styles].map((file) => [entryName(file), join(ROOT, file)]),
          ),
          output: {
            // Short names of few different characters, because names are what compresses worst in a page.
            hashCharacters: 'hex',
            entryFileNames: '[name]-[hash:7].js',
            chunkFileNames: '[name]-[hash:7].js',
            assetFileNames: '[name]-[hash][extname]',
            // The entry of a page is one file, without a second one for what it shares with parts loaded later.
            codeSplitting: { groups: [{ name: 'form', tags: ['$initial'], test: IN_FORM_ENTRY }] },
          },
        },
      },
    };
  },
  finish: compressFiles,
};

/** For other sites that embed forms. */
const embed = oneFile('embed', 'browser/embed.entry.ts');
/** For forms without a network. */
const worker = oneFile('worker', 'browser/offline/worker.ts');

const dashboard: Target = {
  name: 'dashboard',
  config: async () => (await import('../dashboard/vite.config.ts')).dashboardConfig('build'),
  finish: compressFiles,
};

for (const target of [embed, worker, publicPages, dashboard])
  if (isOutdated(target.name)) await buildTarget(target, fingerprintOf(target.name));

/**
 * A script in one file with a fixed name.
 * @param entry relative to server/public-pages/
 */
function oneFile(name: BuiltFolder, entry: string): Target {
  return {
    name,
    config: async () => ({
      root: ROOT,
      publicDir: false,
      build: {
        target: 'es2022',
        modulePreload: false,
        rollupOptions: {
          input: join(ROOT, 'server/public-pages', entry),
          output: { format: 'iife', entryFileNames: `${name}.js` },
        },
      },
    }),
    finish: compressFiles,
  };
}

async function buildTarget({ name, config, finish }: Target, wanted: string): Promise<void> {
  // Loaded only if there is something to build, because starting again should be quick.
  const { build, mergeConfig } = await import('vite');
  const output = join(ROOT, 'dist', name);
  // Built in a folder of its own that replaces the old one at the end, so that a service starting meanwhile never sees half of
  // it.
  const scratch = `${output}.${process.pid}`;
  const quietly = { configFile: false, logLevel: 'warn', build: { outDir: scratch, emptyOutDir: true } };
  await build(mergeConfig(await config(), quietly));
  await finish?.(scratch);
  writeFileSync(stampIn(scratch), wanted);
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  rmSync(output, { recursive: true, force: true });
  renameSync(scratch, output);
}

/** Adds a `.br` and a `.gz` to every text file, so that the service need not compress them at its start. */
async function compressFiles(folder: string): Promise<void> {
  const texts = readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const plain = readFileSync(join(folder, name));
      const [small, ...smaller] = await Promise.all([
        promisify(gzip)(plain, { level: 9 }),
        ...BROTLI_MODES.map((mode) =>
          promisify(brotliCompress)(plain, {
            params: {
              [constants.BROTLI_PARAM_MODE]: mode,
              [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
            },
          }),
        ),
      ]);
      const [smallest = small] = smaller.sort((one, other) => one.length - other.length);
      writeFileSync(join(folder, `${name}.gz`), small);
      writeFileSync(join(folder, `${name}.br`), smallest);
    }),
  );
}

/** Parts are loaded one at a time, so Vite's wrapper around `import()`, which preloads several, is left out. */
function importPlainly({ plugins }: ResolvedConfig): void {
  const list = plugins as Plugin[];
  for (const name of ['vite:build-import-analysis', 'native:import-analysis-build']) {
    const index = list.findIndex((plugin) => plugin.name === name);
    if (index < 0) throw new Error(`This version of Vite has no ${name}.`);
    list.splice(index, 1);
  }
}

/** `form` for `…/form.entry.ts`, `style-base` for `…/base.css`. */
function entryName(file: string): string {
  const name = basename(file);
  return name.endsWith('.css')
    ? `style-${name.slice(0, -'.css'.length)}`
    : name.slice(0, -'.entry.ts'.length);
}
