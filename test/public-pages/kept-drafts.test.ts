import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeUnlockKey } from '../../server/submissions/acceptance/unlock-key.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { aVisitor, blockOf } from './visitor.ts';

/** Answers typed but not sent are kept for visitors who may fill in the form, as long as there is room. */
const home = useHome();
const visitor = () => aVisitor(home.service);
const NAME = aField('01', 'text', 'Name');
const MORE = aField('03', 'text', 'More');
const STEPS = [NAME, aField('02', 'nf-page-break', 'Next'), MORE];
const VISIT = 'visit=AAAAAAAAAAAAAAAAAAAAAA&at=1';
const DAY_MS = 24 * 3600 * 1000;
const MAX_DRAFTS = 100_000;

const draftsOf = (form: { id: number }) =>
  home.service.context.db.selectFrom('form_drafts').selectAll().where('form_id', '=', form.id).execute();

/** Posts a step as the page does, as a new visitor. */
const post = (form: { slug: string }, query = '') =>
  visitor().open(`/forms/${form.slug}?${VISIT}${query}`, {
    method: 'POST',
    body: new URLSearchParams({ [NAME.id]: 'Ada' }),
  });

async function aProtectedForm(overrides: object = {}) {
  const form = await home.form({ properties: STEPS, password: 'open sesame', ...overrides });
  const { password_hash: passwordHash } = await home.service.context.db
    .selectFrom('forms')
    .select('password_hash')
    .where('id', '=', form.id)
    .executeTakeFirstOrThrow();
  return {
    form,
    keyOf: (at: number) =>
      makeUnlockKey(home.service.context.secrets, { id: form.id, passwordHash }, new Date(at)),
  };
}

describe('a form with a password', () => {
  test.each(['', '&go=back', '&show_in=de', '&key=wrong'])(
    'keeps nothing of who has not shown it: %s',
    async (query) => {
      const { form } = await aProtectedForm();
      const page = await post(form, query);
      expect(page.status).toBe(403);
      expect(page.html).toContain('name="password"');
      expect(page.html).not.toContain(MORE.id);
      expect(await draftsOf(form)).toEqual([]);
    },
  );

  test('keeps nothing of them when it is closed either', async () => {
    const { form } = await aProtectedForm({ visibility: 'closed', properties: [NAME] });
    expect((await post(form)).text).toContain('closed');
    expect(await draftsOf(form)).toEqual([]);
  });

  test('keeps what somebody typed who has shown it, also when that was too long ago', async () => {
    const { form, keyOf } = await aProtectedForm({ properties: [NAME] });
    const over = await post(form, `&key=${keyOf(Date.now() - 2 * DAY_MS)}`);
    expect(over.status).toBe(403);
    const inside = await visitor().send(over, { password: 'open sesame' });
    expect(inside.html).toContain('value="Ada"');
  });

  test('holds what was typed before it had one until somebody shows it, also after a wrong guess', async () => {
    const lines = { ...aField('04', 'text', 'Lines'), multi_lines: true };
    const password = { ...aField('05', 'text', 'Password'), id: 'password' };
    const form = await home.form({ properties: [NAME, lines, password] });
    const page = await visitor().open(`/forms/${form.slug}`);
    await home.call('PUT', `/open/forms/${form.id}`, { password: 'open sesame' });
    const typed = { [NAME.id]: '"><b>Ada', [lines.id]: '\nfirst\n\nthird ', password: 'mine' };
    const asked = await visitor().send(page, typed);
    expect(asked.status).toBe(403);
    const again = await visitor().send(asked, { password: 'wrong' });
    expect(again.status).toBe(403);
    expect(again.text).toContain('The password is not correct.');
    expect(await draftsOf(form)).toEqual([]);
    const inside = await visitor().send(again, { password: 'open sesame' });
    expect(inside.status).toBe(200);
    await visitor().send(inside);
    const [{ data }] = await home.records(form);
    expect(data).toMatchObject({
      [NAME.id]: '"><b>Ada',
      [lines.id]: '\nfirst\n\nthird ',
      password: 'mine',
    });
  });

  test('asks again for a file that was chosen before it had one', async () => {
    const photo = aField('06', 'files', 'Photo');
    const photos = aField('07', 'files', 'Photos', { multiple: true });
    const form = await home.form({ properties: [NAME, photo, photos, MORE] });
    const page = await visitor().open(`/forms/${form.slug}`);
    await home.call('PUT', `/open/forms/${form.id}`, { password: 'open sesame' });
    const file = () => new File(['words'], 'a.txt', { type: 'text/plain' });
    const asked = await visitor().send(page, { [NAME.id]: 'Ada', [photo.id]: file(), [photos.id]: [file()] });
    expect(asked.text).not.toContain('Photo');
    const again = await visitor().send(asked, { password: 'wrong' });
    const inside = await visitor().send(again, { password: 'open sesame' });
    expect(blockOf(inside, photo.id)).toContain('Photo: Choose a file');
    expect(blockOf(inside, photos.id)).toContain('Photos: Choose files');
    expect(inside.html).toContain('value="Ada"');
    expect((await home.service.context.pool.query('select 1 from uploads')).rowCount).toBe(0);
    // Who does not want to send one any more goes on without.
    const thanks = await visitor().send(inside, { [photo.id]: file() });
    expect(thanks.path).toContain('/thank-you');
    const [record] = await home.records(form);
    expect(record.data[NAME.id]).toBe('Ada');
    expect(Object.keys(record.files)).toEqual([photo.id]);
  });

  test('holds what was typed while somebody who guessed too often has to wait', async () => {
    const form = await home.form({ properties: [NAME] });
    const page = await visitor().open(`/forms/${form.slug}`);
    await home.call('PUT', `/open/forms/${form.id}`, { password: 'open sesame' });
    let asked = await visitor().send(page, { [NAME.id]: 'Ada' });
    for (let guesses = 0; asked.status !== 429 && guesses < 15; guesses++)
      asked = await visitor().send(asked, { password: `guess${guesses}` });
    expect(asked.status).toBe(429);
    expect(asked.text).toContain('Too many attempts. Please wait a moment and try again.');
    expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);
    await home.service.context.db.deleteFrom('failed_guesses').execute();
    const inside = await visitor().send(asked, { password: 'open sesame' });
    expect(inside.html).toContain('value="Ada"');
  });

  test('takes nothing in place of held answers that cannot be stored', async () => {
    const { form } = await aProtectedForm();
    const body = new URLSearchParams({
      password: 'open sesame',
      [`held ${NAME.id}`]: 'a\0b',
      'held __proto__': 'x',
    });
    const page = await visitor().open(`/forms/${form.slug}/unlock?${VISIT}`, { method: 'POST', body });
    expect(page.status).toBeLessThan(500);
    expect(await draftsOf(form)).toEqual([]);
  });

  test('shows its questions to nobody who guesses too often', async () => {
    const { form } = await aProtectedForm({ properties: [NAME, MORE] });
    const pages = [];
    // Each guess doubles the wait before the next; on a busy machine the first waits pass unnoticed.
    do pages.push(await post(form, `&key=guess${pages.length}`));
    while (pages.at(-1)?.status !== 429 && pages.length < 15);
    expect(pages.at(-1)?.status).toBe(429);
    expect(pages.length).toBeGreaterThan(5);
    for (const { html } of pages) expect(html).not.toContain(MORE.id);
  });
});

describe('a form that keeps all the drafts it may', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('goes on with whoever has begun already', async () => {
    const form = await home.form({ properties: STEPS });
    await prepareRows(home.service, [
      `insert into form_drafts (form_id, id_hash, answers)
       select $1, sha256(case n when 1 then 'AAAAAAAAAAAAAAAAAAAAAA' else n::text end::bytea), '{}'
       from generate_series(1, $2::int) n`,
      [form.id, MAX_DRAFTS],
    ]);
    const next = await post(form);
    expect(next.status).toBe(200);
    expect(next.html).toContain(MORE.id);
    const others = await visitor().open(`/forms/${form.slug}`);
    expect((await visitor().send(others, { [NAME.id]: 'Grace' })).status).toBe(429);
    // Reading all of them would take too long on a busy machine.
    const kept = await home.service.context.db
      .selectFrom('form_drafts')
      .select('answers')
      .where('form_id', '=', form.id)
      .where(sql<boolean>`answers::text <> '{}'`)
      .execute();
    expect(kept).toMatchObject([{ answers: { [NAME.id]: 'Ada' } }]);
  });

  test('shows the page again with the answers in it, and goes on when there is room', async () => {
    const form = await home.form({ properties: STEPS });
    await prepareRows(home.service, [
      `insert into form_drafts (form_id, id_hash, answers)
       select $1, decode(md5(n::text), 'hex'), '{}' from generate_series(1, $2::int) n`,
      [form.id, MAX_DRAFTS],
    ]);
    const page = await visitor().open(`/forms/${form.slug}`);
    const full = await visitor().send(page, { [NAME.id]: 'Ada' });
    expect(full.status).toBe(429);
    expect(full.headers.get('retry-after')).toBe('600');
    expect(full.text).toContain('Please wait a moment');
    expect(full.html).toContain('value="Ada"');
    const other = await home.form({ properties: STEPS });
    const begun = await visitor().open(`/forms/${other.slug}`);
    expect((await visitor().send(begun, { [NAME.id]: 'Ada' })).status).toBe(200);

    await prepareRows(home.service, ['delete from form_drafts where form_id = $1', [form.id]]);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 11_000);
    const next = await visitor().send(full);
    expect(next.status).toBe(200);
    expect(next.html).toContain(MORE.id);
    expect(await draftsOf(form)).toHaveLength(1);
  });
});
