import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorBag } from '../../fields/property.ts';
import { CLI } from '../audit/actor.ts';
import { readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { type AppliedForm, applyDefinition, isChange } from '../forms/saving/apply-definition.ts';
import { isRefusal } from '../http/errors.ts';
import { parseId } from '../http/schemas/ids.ts';
import { listWorkspaceIds } from '../workspaces/queries.ts';
import { linesOf } from './apply-report.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.apply.usage;
const OPTIONS = { workspace: { type: 'string' }, plan: { type: 'boolean' } } as const;
/** Exit code of `--plan` when something would change. */
const WOULD_CHANGE = 3;

interface FormFile {
  path: string;
  body: unknown;
}

/**
 * Changes the forms of a workspace to match files, by slug; forms without a file stay. Nothing is changed unless every
 * file can be applied. Prints a sign before each form: new `+`, changed `~`, unchanged `=`.
 */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS, USAGE, 'some');
  const files = await readFiles(positionals);
  return withDatabase(async (db) => {
    const parts = { db, config: readConfig() };
    const workspaceId = await findWorkspace(db, values.workspace);
    const planned = await planAll(parts, workspaceId, files);
    const isPlan = values.plan ?? false;
    for (const { body, form } of planned) {
      if (!isPlan && isChange(form)) await applyDefinition(parts, { body, workspaceId, actor: CLI, isPlan });
      for (const line of linesOf(form)) io.out(line);
    }
    return isPlan && planned.some(({ form }) => isChange(form)) ? WOULD_CHANGE : 0;
  });
}

/** @throws CommandError with a line for every problem in any of them */
async function planAll(parts: Pick<Context, 'db' | 'config'>, workspaceId: number, files: FormFile[]) {
  const planned: (FormFile & { form: AppliedForm })[] = [];
  const problems: string[] = [];
  for (const { path, body } of files) {
    try {
      const form = await applyDefinition(parts, { body, workspaceId, actor: CLI, isPlan: true });
      const other = planned.find((one) => one.form.slug === form.slug);
      if (other) problems.push(`${path}: slug: ${other.path} has the same.`);
      planned.push({ path, body, form });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const errors = (error.members.errors ?? { file: [error.message] }) as ErrorBag;
      for (const [key, messages] of Object.entries(errors))
        problems.push(...messages.map((message) => `${path}: ${key}: ${message}`));
    }
  }
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return planned;
}

/** The named files, and from named directories all files that end in `.json`, sorted by name. */
async function readFiles(paths: string[]): Promise<FormFile[]> {
  const files: FormFile[] = [];
  for (const path of paths) {
    const isDirectory = (await stat(path).catch(() => refuse(path, 'there is no such file')))?.isDirectory();
    const names = isDirectory ? (await readdir(path)).filter((name) => name.endsWith('.json')).sort() : [];
    if (isDirectory && names.length === 0) refuse(path, 'there are no .json files in it');
    for (const file of isDirectory ? names.map((name) => join(path, name)) : [path])
      files.push({ path: file, body: await readJson(file) });
  }
  return files;
}

async function readJson(path: string): Promise<unknown> {
  const text =
    decode(await readFile(path)) ?? refuse(path, 'it is neither UTF-8 nor UTF-16 with a byte order mark');
  try {
    return JSON.parse(text);
  } catch (error) {
    return refuse(path, `it cannot be read as JSON (${(error as Error).message})`);
  }
}

/** Reads UTF-8, or UTF-16 as PowerShell and editors on Windows write it; null for anything else, or damaged text. */
function decode(bytes: Buffer): string | null {
  const [first, second] = bytes;
  const isLittleEndian = first === 0xff && second === 0xfe;
  const isBigEndian = first === 0xfe && second === 0xff;
  // In UTF-16 each ASCII character has a zero byte beside it.
  const isUnmarked = first === 0 || second === 0;
  if (isUnmarked) return null;
  const encoding = isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refuse(path: string, problem: string): never {
  throw new CommandError(`${path}: ${problem}.`);
}

/** The named workspace, or the only one. */
async function findWorkspace(db: Db, named: string | undefined): Promise<number> {
  const id = named === undefined ? null : parseId(named);
  if (named !== undefined && id === null) throw new UsageError('--workspace is the id of a workspace.');
  const ids = await listWorkspaceIds(db);
  if (id !== null && !ids.includes(id)) throw new CommandError(`There is no workspace ${id}.`);
  if (id !== null) return id;
  const [only, ...others] = ids;
  if (only === undefined)
    throw new CommandError('There is no workspace yet. Make one with: formstead user create');
  if (others.length > 0) throw new CommandError(`Say which with --workspace: ${ids.join(', ')}.`);
  return only;
}
