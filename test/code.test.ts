import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '..');
const TIMEOUT_MS = 600_000;
/** Each of several threads would compute the same shared results, and collecting garbage takes as long as checking. */
const THRIFTY = { ...process.env, GOGC: 'off' };

/** The complaints of the tool; empty when all is well. */
async function complaints(tool: string, args: string[]): Promise<string> {
  const program = resolve(ROOT, 'node_modules', tool);
  return run(process.execPath, [program, ...args], { cwd: ROOT, env: THRIFTY, maxBuffer: 10_000_000 }).then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

test('the code keeps the rules of Biome', { timeout: TIMEOUT_MS }, async () => {
  expect(await complaints('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])).toBe('');
});

test('the types fit', { timeout: TIMEOUT_MS }, async () => {
  expect(await complaints('typescript/bin/tsc', ['--singleThreaded'])).toBe('');
});

test('the types of the dashboard fit', { timeout: TIMEOUT_MS }, async () => {
  expect(await complaints('typescript/bin/tsc', ['-p', 'dashboard', '--singleThreaded'])).toBe('');
});
