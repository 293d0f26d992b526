import { afterEach, expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';
import { ask, begin, named, send } from './resumable.ts';
import { PDF, upload } from './upload.ts';

/** A full disk is told to whoever sends a file, and to the operator. */
const CV = aField('01', 'files', 'CV');
const DISK = 2_000_000_000;
/** The service leaves this much free on such a disk. */
const KEPT_FREE = DISK / 10;
const home = useHome({ env: { ROLES: 'http' } });
const restore: (() => void)[] = [];
afterEach(() => {
  for (const undo of restore.splice(0)) undo();
});

/** @param frees what is free each time that somebody asks; the last one stays */
function leave(...frees: number[]): void {
  const { files } = home.service.context;
  const { space } = files;
  files.space = async () => ({ free: (frees.length > 1 ? frees.shift() : frees[0]) ?? 0, total: DISK });
  restore.push(() => {
    files.space = space;
  });
}

function expectNoRoom(answer: Answer): void {
  expectRefused(answer, 503);
  expect(answer.body).toEqual({
    message: 'There is no room for this file at the moment. Please try again later.',
    error: 'no_room',
  });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60);
}

const announce = (form: { slug: string }) =>
  begin(home.service, form, CV.id, { 'upload-length': String(PDF.length), ...named('cv.pdf') });

test('a file in parts needs its size twice, and is refused before any of it is sent', async () => {
  const form = await home.form({ properties: [CV] });
  leave(KEPT_FREE + 2 * PDF.length - 1);
  expectNoRoom(await announce(form));
  restore.pop()?.();
  leave(KEPT_FREE + 2 * PDF.length);
  expect((await announce(form)).status).toBe(201);
});

test('parts that cannot be joined wait for room, and the next try joins them', async () => {
  const form = await home.form({ properties: [CV] });
  const begun = await announce(form);
  const path = begun.headers.get('location') ?? '';
  leave(KEPT_FREE + PDF.length, KEPT_FREE + PDF.length - 1);
  expectNoRoom(await send(home.service, path, 0, PDF));
  const asked = await ask(home.service, path);
  expect([asked.status, asked.headers.get('retry-after')]).toEqual([503, '300']);
  restore.pop()?.();
  expect((await ask(home.service, path)).headers.get('upload-offset')).toBe(String(PDF.length));
  expect((await home.submit(form, { [CV.id]: begun.body.reference })).status).toBe(200);
});

test('a part without room is not kept, and comes again', async () => {
  const form = await home.form({ properties: [CV] });
  const begun = await announce(form);
  const path = begun.headers.get('location') ?? '';
  leave(KEPT_FREE + PDF.length - 1);
  expectNoRoom(await send(home.service, path, 0, PDF));
  expect((await ask(home.service, path)).headers.get('upload-offset')).toBe('0');
  restore.pop()?.();
  expect((await send(home.service, path, 0, PDF)).status).toBe(204);
  expect((await home.submit(form, { [CV.id]: begun.body.reference })).status).toBe(200);
});

test('a file in one request leaves the same reserve', async () => {
  const form = await home.form({ properties: [CV] });
  leave(KEPT_FREE + PDF.length - 1);
  expectNoRoom(await upload(home.service, form, CV.id, PDF, 'cv.pdf'));
  restore.pop()?.();
  leave(KEPT_FREE + 2 * PDF.length + 1_000);
  expect((await upload(home.service, form, CV.id, PDF, 'cv.pdf')).status).toBe(201);
});

test('a file for which the disk has no room in the midst of it is told the same', async () => {
  const form = await home.form({ properties: [CV] });
  const { files } = home.service.context;
  const { write } = files;
  files.write = async (_, content) => {
    content.destroy();
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  restore.push(() => {
    files.write = write;
  });
  expectNoRoom(await upload(home.service, form, CV.id, PDF, 'cv.pdf'));
});
