import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const OPTIONS = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

/** Checks that these files, which may import each other, are right for TypeScript at its strictest. */
export async function expectCompiles(files: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'formstead-types-'));
  try {
    const all = {
      ...files,
      'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS }),
      'package.json': '{"type":"module"}',
    };
    for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
    const outcome = await promisify(execFile)(process.execPath, [TSC, '-p', folder]).catch((error) => error);
    expect(`${outcome.stdout}${outcome.code ?? ''}`).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
