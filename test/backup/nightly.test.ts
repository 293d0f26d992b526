import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/backup.md'), 'utf8');
const [, line = ''] = /^15 3 \* \* \* (.+)$/m.exec(DOCS) ?? [];
const OLD = 'formstead-20200101T000000Z.tar.gz';

let folder: string;
let backups: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formstead-nightly-'));
  backups = join(folder, 'var/backups/formstead');
  for (const path of [backups, join(folder, 'opt/formstead/node_modules/.bin'), join(folder, 'bin')])
    mkdirSync(path, { recursive: true });
  program('bin/logger', 'exec cat >> "$HOME/log"');
  writeFileSync(join(backups, OLD), 'the last good one');
  utimesSync(join(backups, OLD), 0, 0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(path: string, text: string): void {
  writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** Runs the line of the docs as cron does, with this script in place of the service's Node.js. @returns the backups */
function night(node: string): string[] {
  program('opt/formstead/node_modules/.bin/node', node);
  const here = line.replaceAll(/(?<=[ =])\/(opt|var)\//g, `${folder}/$1/`);
  expect(here).toContain(backups);
  const env = { HOME: folder, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  execFileSync('/bin/sh', ['-c', here], { env });
  return readdirSync(backups);
}

test('the night’s backup that the docs show deletes old ones only after a new one was made', () => {
  expect(night('echo "The disk is full." >&2; exit 1')).toEqual([OLD]);
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('The disk is full.\n');
  const made = 'formstead-20261124T031500Z.tar.gz';
  expect(night(`touch ${join(backups, made)}`)).toEqual([made]);
});
