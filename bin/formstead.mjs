#!/usr/bin/env node
// "npx formstead <command>": runs the command on the Node 24 of this checkout, whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(realpathSync(fileURLToPath(import.meta.url))), '..');
const NODE = join(ROOT, 'node_modules', '.bin', 'node');

const PREPARATION = join(ROOT, 'scripts', 'prepare.mjs');
const wasPrepared = existsSync(join(ROOT, 'node_modules', '.formstead-prepared.json')) && existsSync(NODE);

// Only the service needs what changes with every version; it says itself when that could not be made, as on a read-only disk. An image
// holds no preparation.
if (!wasPrepared || (process.argv[2] === 'serve' && existsSync(PREPARATION))) {
  // The output of a command may be piped, so the preparation prints to the error output only.
  const prepared = spawnSync(process.execPath, [PREPARATION], { stdio: ['ignore', 2, 2] });
  if (prepared.status !== 0 && !wasPrepared) process.exit(prepared.status ?? 1);
}

// Memory settings of Node.js, as in `npm start`; docs/performance.md shows their effect.
const OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=100'];
const SETTINGS = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'), MALLOC_ARENA_MAX: '2' };

const command = spawn(NODE, [...OPTIONS, join(ROOT, 'server', 'cli', 'main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...SETTINGS, ...process.env },
});

// In a terminal Ctrl-C and hanging up reach the command directly: if passed on, they would arrive twice.
const inTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal === 'SIGTERM' || !inTerminal) command.kill(signal);
  });
}

command.on('error', (error) => {
  console.error(`${NODE} does not run (${error.message}): delete node_modules and start again.`);
  process.exit(1);
});
command.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
