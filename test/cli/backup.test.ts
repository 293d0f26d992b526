import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { until } from '../setup/until.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const PDF = '%PDF-1.4\n% a small one\n%%EOF\n';
const run = promisify(execFile);

let folder: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-cli-backup-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  for (const child of running)
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
});

/** The environment of a separate installation. */
function installation(name: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, BASE_URL: __, SECRET_KEY: ___, ...rest } = process.env;
  return { ...rest, DATA_DIR: join(folder, name), PORT: '0' };
}

const formstead = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  run(process.execPath, [MAIN, ...args], { env, cwd: folder });

async function serve(env: NodeJS.ProcessEnv): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (url === undefined || !line.includes('ready')) continue;
    child.stdout.resume();
    return {
      url,
      async stop() {
        child.kill('SIGTERM');
        await once(child, 'exit');
      },
    };
  }
  throw new Error('The service ended before it was ready.');
}

test('the embedded database is backed up while it serves, restored elsewhere, and goes on there', async () => {
  const original = installation('original');
  await formstead(original, 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
  const abilities = 'workspaces-read,forms-read,forms-write,manage-integrations';
  const made = await formstead(
    ...([
      original,
      'token',
      'create',
      '--email',
      'ada@example.com',
      '--name',
      'CI',
      '--abilities',
      abilities,
    ] as const),
  );
  const token = made.stdout.trim();
  const service = await serve(original);
  const call = async (url: string, method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, text).toBeLessThan(300);
    return JSON.parse(text);
  };
  const [workspace] = await call(service.url, 'GET', '/open/workspaces');
  const form = await call(service.url, 'POST', '/open/forms', {
    workspace_id: workspace.id,
    title: 'With files',
    properties: [
      { id: 'name', type: 'text', name: 'Name' },
      { id: 'papers', type: 'files', name: 'Papers' },
    ],
  });
  const reference = await upload(service.url, form.slug);
  await call(service.url, 'POST', `/forms/${form.slug}/answer`, { name: 'Grace', papers: [reference] });

  const backups = join(folder, 'backups');
  // The slash marks a folder, which is made; the file gets a generated name.
  const backedUp = await formstead(original, 'backup', '--to', `${backups}/`);
  expect((await stat(backups)).mode & 0o777).toBe(0o700);
  const file = backedUp.stdout.trim();
  expect(await readdir(backups)).toEqual([file.slice(backups.length + 1)]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(backedUp.stderr).toMatch(/… submissions: 1 rows\n/);
  expect(backedUp.stderr).toContain('1 files');
  expect(backedUp.stderr).toContain('The key is in it');
  expect((await formstead(original, 'doctor').catch((error) => error)).stdout).toMatch(
    /^ok {4}backup: the last one/m,
  );
  expect((await formstead(original, 'restore', file, '--check')).stdout).toContain('is complete');
  await expect(formstead(original, 'restore', file)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty'),
  });
  await service.stop();

  const copy = installation('copy');
  // One that was interrupted before anything was put back has left an empty database; the next one goes on with it.
  const early = spawn(process.execPath, [MAIN, 'restore', file], { env: copy, cwd: folder });
  const said = text(early.stderr);
  await until(async () =>
    (await readdir(copy.DATA_DIR ?? '').catch((): string[] => [])).includes('postgres'),
  );
  early.kill('SIGTERM');
  await once(early, 'exit');
  expect(await said).toMatch(/… interrupted; stopping the database\n$/);
  // In a container backups lie in the data directory.
  const inside = join(copy.DATA_DIR ?? '', 'backups');
  await cp(backups, inside, { recursive: true });
  const restored = await formstead(copy, 'restore', file.replace(backups, inside));
  expect(restored.stdout).toMatch(/^Restored the state of /);
  expect(restored.stderr).toContain('do it again');
  const second = await serve(copy);
  const listed = await call(second.url, 'GET', `/open/forms/${form.id}/submissions`);
  expect(listed.data.map(({ data }: any) => data.name)).toEqual(['Grace']);
  await call(second.url, 'POST', `/forms/${form.slug}/answer`, {
    name: 'Ada',
    papers: [await upload(second.url, form.slug)],
  });
  const store = join(folder, 'copy', 'files');
  const kept = (await readdir(store, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  expect(kept).toHaveLength(2);
  for (const { parentPath, name } of kept) expect(await readFile(join(parentPath, name), 'utf8')).toBe(PDF);
  await second.stop();

  // Files cannot be put where a file has the name of their folder.
  const half = installation('half');
  await mkdir(half.DATA_DIR ?? '');
  await writeFile(join(folder, 'half', 'files'), '');
  await expect(formstead(half, 'restore', file, '--keep-files')).rejects.toMatchObject({ code: 1 });
  await rm(join(folder, 'half', 'files'));
  await expect(formstead(half, 'restore', file)).rejects.toMatchObject({
    code: 1,
    stderr: `… checking the archive\nAn earlier restore was interrupted here. Delete everything in ${half.DATA_DIR} but secret.key, and run formstead restore again.\n`,
  });

  // The commands about people, on the stopped copy.
  expect(
    (await formstead(copy, 'person', 'find', '--value', 'Grace')).stdout.trim().split('\n'),
  ).toHaveLength(2);
  const document = JSON.parse((await formstead(copy, 'person', 'export', '--value', 'Grace')).stdout);
  expect(document.submissions[0].files).toHaveLength(1);
  expect((await formstead(copy, 'person', 'erase', '--value', 'Grace')).stdout).toMatch(
    /1 submissions, 1 files \(erasure 1\)/,
  );
  expect((await formstead(copy, 'person', 'erase', '--value', 'Grace')).stdout).toBe('Nothing was found.\n');
  await expect(formstead(copy, 'person', 'erase')).rejects.toMatchObject({ code: 2 });
});

test('wrong uses end with 2, what can be mended with 1 and one line', async () => {
  const env = installation('none');
  await expect(formstead(env, 'backup', '--fast')).rejects.toMatchObject({ code: 2 });
  await expect(formstead(env, 'restore')).rejects.toMatchObject({ code: 2 });
  await expect(formstead(env, 'restore', 'no-such-file')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no file no-such-file\.\n$/),
  });
  await expect(formstead(env, 'restore', MAIN)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no archive, or a damaged one\.\n$/),
  });
  await expect(formstead(env, 'backup')).rejects.toMatchObject({
    code: 1,
    stderr: `There is no database in ${env.DATA_DIR}: set DATA_DIR or DATABASE_URL as the service does.\n`,
  });
  expect(await readdir(folder)).not.toContain('none');
  const elsewhere = { ...env, DATABASE_URL: 'postgres://ada@no-such-host.invalid/formstead' };
  await expect(formstead(elsewhere, 'backup')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database does not answer: .+\n$/),
  });
});

test('a backup that is interrupted, or cannot be written, leaves nothing behind', async () => {
  const env = installation('interrupted');
  const service = await serve(env);
  const other = new pg.Client((await runningEmbeddedPostgres(String(env.DATA_DIR))) ?? {});
  // The lock makes the backup wait in the middle of its work.
  await other.connect();
  await other.query('begin; lock table submissions in access exclusive mode');
  const backups = join(folder, 'interrupted-backups');
  const args = [MAIN, 'backup', '--to', `${backups}/`];
  const backup = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.push(backup);
  await until(async () => (await readdir(backups).catch(() => [])).length > 0, { what: 'a begun backup' });
  backup.kill('SIGINT');
  const [said, [code]] = await Promise.all([text(backup.stderr), once(backup, 'exit')]);
  expect([said, code]).toEqual(['Interrupted: there is no backup.\n', 1]);
  expect(await readdir(backups)).toEqual([]);
  await other.end();
  const nowhere = join(folder, 'no-such-folder', 'backup');
  await expect(formstead(env, 'backup', '--to', nowhere)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The backup cannot be written to ${nowhere} (ENOENT).\n`),
  });
  await service.stop();
});

async function upload(url: string, slug: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([PDF], { type: 'application/pdf' }), 'paper.pdf');
  const answer = await fetch(`${url}/forms/${slug}/files?field=papers`, { method: 'POST', body });
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  return JSON.parse(text).reference;
}
