import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The rules of ARCHITECTURE.md that no linter can check. */
const ROOT = resolve(import.meta.dirname, '..');
const MAX_LINES = 300;

interface SourceFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
  /** Paths from the root for our own modules, names for packages. */
  imports: string[];
}

const files = ['fields', 'server', 'dashboard', 'scripts', 'examples', 'test'].flatMap((folder) =>
  sourceFiles(folder),
);
const server = files.filter(({ path }) => path.startsWith('server/'));

describe('imports', () => {
  test('fields/ imports nothing of ours and nothing of Node', () => {
    const foreign = (name: string) =>
      name.startsWith('node:') || (name.includes('/') && isOurs(name) && !name.startsWith('fields/'));
    expect(
      offenders(
        files.filter(({ path }) => path.startsWith('fields/')),
        foreign,
      ),
    ).toEqual([]);
  });

  test('only the engines bring heavy libraries into fields/', () => {
    const others = files.filter(
      ({ path }) => path.startsWith('fields/') && !/^fields\/(server-engines\.ts|engines\/)/.test(path),
    );
    expect(offenders(others, (name) => !isOurs(name))).toEqual([]);
  });

  test('a feature never imports the routes of another', () => {
    const features = server.filter(({ path }) => path !== 'server/app.ts');
    const found = features.flatMap(({ path, imports }) =>
      imports
        .filter((name) => /^server\/.*routes\.ts$/.test(name) && dirname(name) !== dirname(path))
        .map((name) => `${path} imports ${name}`),
    );
    expect(found).toEqual([]);
  });

  test('nothing imports the application but its start', () => {
    const others = server.filter(({ path }) => !path.startsWith('server/start/'));
    expect(offenders(others, (name) => name === 'server/app.ts')).toEqual([]);
  });

  test('fields/ never brings all the languages, a page needs one', () => {
    const others = files.filter(
      ({ path }) => path.startsWith('fields/') && path !== 'fields/languages/languages.ts',
    );
    const isTexts = (name: string) => /^fields\/languages\/(?:[a-z]{2}|languages)\.ts$/.test(name);
    expect(offenders(others, isTexts)).toEqual([]);
  });

  test('server code never imports tests, scripts or examples', () => {
    expect(offenders(server, (name) => /^(test|scripts|examples)\//.test(name))).toEqual([]);
  });

  test('the dashboard imports fields/ and its own files only', () => {
    const dashboard = files.filter(
      ({ path }) => path.startsWith('dashboard/') && path !== 'dashboard/vite.config.ts',
    );
    expect(dashboard.length).toBeGreaterThan(10);
    expect(
      offenders(
        dashboard,
        (name) => name.startsWith('node:') || (isOurs(name) && !/^(dashboard|fields)\//.test(name)),
      ),
    ).toEqual([]);
    const others = dashboard.filter(({ path }) => path !== 'dashboard/api/client.ts');
    expect(mentions(others, /(?<![\w.])fetch\(|XMLHttpRequest/)).toEqual([]);
    expect(mentions(dashboard, /\b(alert|confirm|prompt)\(['"`]|dangerouslySetInnerHTML/)).toEqual([]);
  });

  test('outbound requests are made in one place', () => {
    // The benchmark only calls itself and compares with plain undici; scripts of pages only call us. The provider of single
    // sign-on is chosen by the operator, like the mail server and the bucket; the service to listen to by whoever does.
    const others = server.filter(
      ({ path }) =>
        !/^server\/((outbound|bench|public-pages\/browser)\/|(single-sign-on\/discover|listen\/remote-form)\.ts$)/.test(
          path,
        ),
    );
    expect(offenders(others, (name) => name === 'openid-client')).toEqual([
      // Types only.
      'server/single-sign-on/provider.ts imports openid-client',
    ]);
    expect(
      offenders(others, (name) => ['undici', 'node:http', 'node:https', 'node:tls'].includes(name)),
    ).toEqual([]);
    expect(mentions(others, /(?<![\w.])fetch\(/)).toEqual([]);
  });
});

describe('places', () => {
  test('SQL stands in queries and where a statement is the feature', () => {
    const allowed = /(queries|-sql|enqueue|health-routes)\.ts$|^server\/db\//;
    const others = server.filter(({ path }) => !allowed.test(path));
    expect(
      mentions(
        others,
        /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`|\.query\(\s*[`'"{]/,
      ),
    ).toEqual([]);
  });

  test('the environment is read by the configuration alone', () => {
    expect(
      mentions(
        server.filter(({ path }) => path !== 'server/config.ts'),
        /process\.env/,
      ),
    ).toEqual([]);
  });

  test('no file grows past what one can read', () => {
    const long = files.filter(
      ({ path, text }) =>
        // Phrases of a language are looked up rather than read.
        !/schemas?\.ts$|corpus|^fields\/languages\/[a-z]{2}\.ts$/.test(path) &&
        !path.startsWith('test/') &&
        text.split('\n').length > MAX_LINES,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test('only what another file uses is exported', () => {
    const lists = files.flatMap(({ text }) => text.match(/\{[^{}]*\} from/g) ?? []);
    const imported = new Set(lists.flatMap((list) => list.match(/\w+/g) ?? []));
    const isNamed = (name: string, by: SourceFile[]) =>
      by.some(({ text }) => text.includes(name) && new RegExp(`\\b${name}\\b`).test(text));
    const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
    const alone = files
      // Generated, and run by the test runner.
      .filter(({ path }) => path !== 'server/db/schema.ts' && !path.startsWith('test/'))
      .flatMap(({ path, text }) => [...text.matchAll(exported)].map(([, name = '']) => ({ path, name })))
      .filter(({ name }) => !imported.has(name))
      // What is loaded later is in no list.
      .filter(
        ({ path, name }) =>
          !isNamed(
            name,
            files.filter((file) => file.path !== path),
          ),
      );
    expect(alone).toEqual([]);
  });

  test('nothing is left for later', () => {
    expect(
      mentions(
        files.filter(({ path }) => path !== 'test/architecture.test.ts'),
        /\b(TODO|FIXME|XXX|HACK)\b/,
      ),
    ).toEqual([]);
  });
});

function offenders(among: SourceFile[], isForbidden: (name: string) => boolean): string[] {
  return among.flatMap(({ path, imports }) =>
    imports.filter(isForbidden).map((name) => `${path} imports ${name}`),
  );
}

function mentions(among: SourceFile[], pattern: RegExp): string[] {
  return among.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

function isOurs(name: string): boolean {
  return /^(fields|server|scripts|examples|test|dashboard)\//.test(name);
}

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = join(folder, name).replaceAll('\\', '/');
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): string[] {
  const names = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name ?? '');
  return names.map((name) =>
    name.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(path), name)).replaceAll('\\', '/') : name,
  );
}
