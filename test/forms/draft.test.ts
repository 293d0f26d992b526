import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });

const draftOf = (form: { id: number }) => `/open/forms/${form.id}/draft`;
const save = (form: { id: number }, body: unknown, token?: string) =>
  home.call('PUT', draftOf(form), body, token);
const publish = (form: { id: number }, body?: unknown, token?: string) =>
  home.call('POST', `${draftOf(form)}/publish`, body, token);
const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;

/** The form as it is read while it has a draft. */
const withDraft = (form: object) => ({
  ...form,
  has_unpublished_changes: true,
  last_edited_human: expect.any(String),
});

async function changesInLog(form: { id: number }): Promise<any[]> {
  const { body } = await home.call(
    'GET',
    `/open/workspaces/${home.workspaceId}/audit-log?form_id=${form.id}`,
  );
  return body.filter(({ verb }: any) => verb === 'form.changed').map(({ details }: any) => details);
}

describe('a draft', () => {
  test('is kept as one goes, and changes nothing of the form', async () => {
    const form = await home.form();
    expectRefused(await home.call('GET', draftOf(form)), 404);
    const saved = await save(form, { title: 'Better', unknown: 1 });
    expect(saved.status, saved.text).toBe(200);
    expect(saved.body).toEqual({
      definition: { title: 'Better' },
      problems: {},
      base_version: form.version,
      version: form.version,
      is_outdated: false,
      revision: 1,
      saved_by: { id: home.ada.id, name: 'Ada' },
      begun_at: expect.any(String),
      saved_at: expect.any(String),
    });
    expect((await home.call('GET', draftOf(form))).body).toEqual(saved.body);
    expect(form.has_unpublished_changes).toBe(false);
    expect(await read(form)).toEqual(withDraft(form));
    const again = await save(form, { color: '#ff0000' });
    expect(again.body).toMatchObject({ definition: { color: '#ff0000' }, revision: 2 });
    expect(again.body.begun_at).toBe(saved.body.begun_at);
  });

  test('may be half finished: what is wrong is told beside it', async () => {
    const form = await home.form();
    const properties = [aTextField(), { type: 'select', name: '' }, 'nothing'];
    const answer = await save(form, { title: '', slug: 'NO', properties, theme: 'loud', color: 5 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.definition).toEqual({ title: '', slug: 'NO', properties, theme: 'loud', color: 5 });
    expect(Object.keys(answer.body.problems)).toEqual(
      expect.arrayContaining(['title', 'slug', 'theme', 'color', 'properties.2']),
    );
    expect((await home.call('GET', draftOf(form))).body.problems).toEqual(answer.body.problems);
    expectInvalid(await publish(form), ...Object.keys(answer.body.problems));
    expect(await read(form)).toEqual(withDraft(form));
  });

  test('that nobody could store is refused', async () => {
    const form = await home.form();
    expectInvalid(await save(form, { title: 'a\u0000' }), 'title');
    expectRefused(await save(form, { custom_css: 'x'.repeat(4_200_000) }), 413);
    expectRefused(await home.call('GET', draftOf(form)), 404);
  });

  test('is seen by all members of the workspace, and the password by none', async () => {
    const form = await home.form();
    const { token, id, name } = await home.member('user');
    await save(form, { title: 'Ours', password: 'open sesame' }, token);
    for (const role of ['readonly', 'user', 'admin'] as const) {
      const { body } = await home.call('GET', draftOf(form), undefined, (await home.member(role)).token);
      expect(body.saved_by).toEqual({ id, name });
      expect(body.definition.title).toBe('Ours');
      expect(body.definition.password).toBe(role === 'readonly' ? undefined : '********');
    }
    const { rows } = await home.service.context.pool.query(
      'select row_to_json(t)::text as row from unpublished_changes t',
    );
    expect(rows.map(({ row }) => row).join()).not.toContain('sesame');
  });

  test('that is saved over is found among the versions, and the form stays the newest', async () => {
    const form = await home.form({ title: 'Published' });
    const { token, id, name } = await home.member('user');
    const theirs = { title: 'Theirs', properties: [aTextField({ name: 'By them' })], password: 'sesame' };
    await save(form, theirs, token);
    const over = (revision: number, body: object) =>
      home.call('PUT', `${draftOf(form)}?revision=${revision}&keep_replaced=true`, body);
    const versions = async () => (await home.call('GET', `/open/forms/${form.id}/versions`)).body;
    expectRefused(await over(7, { title: 'Late' }), 409);
    expect(await versions()).toHaveLength(1);
    const mine = await over(1, { title: '', color: 5 });
    expect(mine.status, mine.text).toBe(200);
    expect(mine.body).toMatchObject({ definition: { title: '', color: 5 }, revision: 2, is_outdated: false });
    const [now, replaced, first, ...more] = await versions();
    expect([now, replaced, first]).toMatchObject([
      { restored_from: first.version, of_draft: false, saved_by: { name: 'Ada' } },
      { changed: ['title', 'properties'], of_draft: true, saved_by: { id, name } },
      { version: 1, of_draft: false },
    ]);
    expect(more).toEqual([]);
    const definition = async ({ version }: { version: number }) =>
      (await home.call('GET', `/open/forms/${form.id}/versions/${version}`)).body.definition;
    expect(await definition(now)).toEqual(await definition(first));
    const kept = await definition(replaced);
    expect(kept).toMatchObject({ title: 'Theirs', properties: [{ name: 'By them' }] });
    expect(JSON.stringify(kept)).not.toContain('sesame');
    expect((await read(form)).title).toBe('Published');
    // What nobody could publish is kept as well, and brought back as soon as it can be.
    await over(2, { title: 'Better', properties: 'nothing' });
    const [, half] = await versions();
    expect(await definition(half)).toMatchObject({
      title: '',
      color: 5,
      properties: [{ id: TEXT_FIELD_ID }],
    });
    const restoring = (version: number) =>
      home.call('POST', `/open/forms/${form.id}/versions/${version}/restore`);
    expect((await restoring(half.version)).status).toBe(422);
    expect((await restoring(replaced.version)).status).toBe(200);
    expect(await read(form)).toMatchObject({ title: 'Theirs', has_unpublished_changes: true });
  });

  test('two people notice each other', async () => {
    const form = await home.form();
    const put = (title: string, revision: number) =>
      home.call('PUT', `${draftOf(form)}?revision=${revision}`, { title });
    expect((await put('One', 0)).body.revision).toBe(1);
    expect((await put('Two', 1)).body.revision).toBe(2);
    const late = await put('Three', 1);
    expectRefused(late, 409);
    expect(late.body).toMatchObject({ revision: 2, saved_by: { name: 'Ada' } });
    expectRefused(await put('Four', 0), 409);
    const both = await Promise.all([put('Five', 2), put('Six', 2)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await home.call('DELETE', draftOf(form));
    expectRefused(await put('Seven', 3), 409);
    for (const revision of ['-1', 'x', '1.5', ''])
      expectInvalid(
        await home.call('PUT', `${draftOf(form)}?revision=${revision}`, { title: '' }),
        'revision',
      );
  });

  test('answers every save with itself, whatever others do at the same moment', async () => {
    const form = await home.form();
    for (let round = 0; round < 20; round++) {
      const titles = ['One', 'Two', 'Three'];
      const saves = await Promise.all(titles.map((title) => save(form, { title })));
      expect(saves.map(({ body }) => body.definition?.title)).toEqual(titles);
      expect(new Set(saves.map(({ body }) => body.revision)).size).toBe(titles.length);
      const [saved] = await Promise.all([
        save(form, { title: 'Four' }),
        home.call('DELETE', draftOf(form)),
        home.call('DELETE', draftOf(form)),
      ]);
      expect(saved.status, saved.text).toBe(200);
    }
  });

  test('is not replaced by a save that was meant for an earlier one', async () => {
    const form = await home.form();
    const put = (title: string, revision: number) =>
      home.call('PUT', `${draftOf(form)}?revision=${revision}`, { title });
    expect((await put('First', 0)).body.revision).toBe(1);
    expect((await publish(form)).status).toBe(200);
    expect((await put('Second', 0)).body.revision).toBe(2);
    const late = await put('Late', 1);
    expectRefused(late, 409);
    expect(late.body.revision).toBe(2);
    expect((await home.call('DELETE', draftOf(form))).status).toBe(200);
    expect((await put('Third', 0)).body.revision).toBe(3);
    expectRefused(await put('Late', 2), 409);
    expect((await home.call('GET', draftOf(form))).body.definition).toEqual({ title: 'Third' });
  });

  test('that a former Formstead has begun does not count anew', async () => {
    const { pool } = home.service.context;
    const form = await home.form();
    const put = (title: string) => home.call('PUT', draftOf(form), { title });
    await put('First');
    expect((await put('Second')).body.revision).toBe(2);
    expect((await publish(form)).status).toBe(200);
    const beginAsBefore = () =>
      pool.query(
        `insert into unpublished_changes (form_id, definition, base_version) values ($1, '{"title": "Third"}', 2)`,
        [form.id],
      );
    await beginAsBefore();
    expect((await put('Third')).body.revision).toBe(3);
    expect((await publish(form)).status).toBe(200);
    await beginAsBefore();
    expect((await home.call('DELETE', draftOf(form))).status).toBe(200);
    expect((await put('Fourth')).body.revision).toBe(4);
  });

  test('begins from the version of the form that is named, or not at all', async () => {
    const form = await home.form();
    const put = (title: string, query: string) => home.call('PUT', `${draftOf(form)}?${query}`, { title });
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'By another way' });
    const late = await put('One', `revision=0&version=${form.version}`);
    expectRefused(late, 409);
    expect(late.body).toMatchObject({ revision: 0, saved_by: null, version: form.version + 1 });
    expectRefused(await put('One', `version=${form.version}`), 409);
    const begun = await put('One', `revision=0&version=${form.version + 1}`);
    expect(begun.body).toMatchObject({ revision: 1, base_version: form.version + 1 });
    // Later, only publishing compares the version.
    expect((await put('Two', `revision=1&version=${form.version}`)).body.revision).toBe(2);
    expectInvalid(await put('Three', 'version=x'), 'version');
  });

  test('comes along with a copy, which is another form', async () => {
    const form = await home.form({ visibility: 'draft', properties: [] });
    const definition = {
      title: 'Better',
      properties: [aTextField()],
      password: 'open sesame',
      slug: 'only-one',
    };
    await save(form, definition);
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'By another way' });
    const { token, id, name } = await home.member('user');
    const { body } = await home.call('POST', `/open/forms/${form.id}/duplicate`, {}, token);
    const copy = body.new_form;
    expect((await home.call('GET', draftOf(copy))).body).toMatchObject({
      definition: { title: 'Copy of Better', properties: [{ id: TEXT_FIELD_ID }], password: '********' },
      problems: {},
      base_version: copy.version,
      is_outdated: false,
      revision: 1,
      saved_by: { id, name },
    });
    const answer = await publish(copy, {}, token);
    expect(answer.body.form).toMatchObject({ title: 'Copy of Better', slug: copy.slug, has_password: true });
    expect(answer.body.form.properties).toHaveLength(1);
    // The original has a draft of its own.
    expect((await home.call('GET', draftOf(form))).body.definition).toMatchObject({
      title: 'Better',
      slug: 'only-one',
    });
    await save(copy, { title: '' });
    const again = await home.call('POST', `/open/forms/${copy.id}/duplicate`);
    expect((await home.call('GET', draftOf(again.body.new_form))).body.definition).toEqual({ title: '' });
  });

  test('is thrown away, and goes with its form', async () => {
    const form = await home.form();
    await save(form, { title: 'Better' });
    expect((await home.call('DELETE', draftOf(form))).status).toBe(200);
    expectRefused(await home.call('DELETE', draftOf(form)), 404);
    expectRefused(await publish(form), 404);
    await save(form, { title: 'Better' });
    await home.call('DELETE', `/open/forms/${form.id}`);
    const { rows } = await home.service.context.pool.query(
      'select from unpublished_changes where form_id = $1',
      [form.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('publishing', () => {
  test('saves all of it by the rules of any change, and ends the draft', async () => {
    const form = await home.form();
    const field = aField('a1', 'email', 'Address');
    await save(form, { title: 'Better', properties: [field], color: '#112233' });
    const answer = await publish(form);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.form).toMatchObject({ title: 'Better', color: '#112233', version: form.version + 1 });
    expect(answer.body.form.removed_properties).toMatchObject([{ id: TEXT_FIELD_ID }]);
    expect((await home.submit(form, { [field.id]: 'nobody' })).status).toBe(422);
    expectRefused(await home.call('GET', draftOf(form)), 404);
    expect(await changesInLog(form)).toEqual([
      { fields: ['title', 'properties', 'color'], draft: 'published' },
      { fields: [], draft: 'begun' },
    ]);
  });

  test('all or nothing: a taken slug saves nothing', async () => {
    const [form, other] = [await home.form(), await home.form()];
    await save(form, { title: 'Better', slug: other.slug });
    expectInvalid(await publish(form), 'slug');
    expect(await read(form)).toEqual(withDraft(form));
    expect((await home.call('GET', draftOf(form))).status).toBe(200);
  });

  test('asks where somebody else changed the same by another way, and can be forced', async () => {
    const form = await home.form();
    await save(form, { title: 'Better' });
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'By another way', color: '#445566' });
    expect((await save(form, { title: 'Best', width: 'full' })).body.is_outdated).toBe(true);
    const answer = await publish(form);
    expectRefused(answer, 409);
    const { version } = await read(form);
    expect(answer.body).toMatchObject({ base_version: form.version, version, changed: ['title'] });
    expect(await changesInLog(form)).not.toContainEqual(expect.objectContaining({ draft: 'published' }));
    // Publishing overwrites only the version that was seen.
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'And once more' });
    const again = await publish(form, { force: true, version });
    expectRefused(again, 409);
    expect(again.body).toMatchObject({ version: version + 1, changed: ['title'] });
    expectInvalid(await publish(form, { force: true, version: 'x' }), 'version');
    expect((await publish(form, { force: true, version: version + 1 })).body.form).toMatchObject({
      title: 'Best',
      color: '#445566',
      width: 'full',
    });
  });

  test('can be forced over whatever others changed', async () => {
    const form = await home.form();
    await save(form, { title: 'Better' });
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'By another way' });
    expect((await publish(form, { force: true })).body.form.title).toBe('Better');
  });

  test('leaves what others changed and it does not, and takes what is the same', async () => {
    const closes_at = '2040-01-01T00:00:00.000Z';
    const form = await home.form({ properties: [aTextField()], closes_at });
    const { properties } = form;
    await save(form, {
      title: 'Better',
      properties: [...properties, aField('a1', 'email', 'Address')],
      closes_at,
    });
    const others = { description: 'By another way', title: 'Better', visibility: 'closed' };
    await home.call('PUT', `/open/forms/${form.id}`, { ...others, properties, closes_at });
    const answer = await publish(form);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.form).toMatchObject({ ...others, closes_at });
    expect(answer.body.form.properties).toHaveLength(2);
  });

  test('of a draft whose beginning was not kept asks about whatever differs', async () => {
    const form = await home.form();
    await save(form, { title: 'Better' });
    await home.service.context.pool.query('update unpublished_changes set base = null where form_id = $1', [
      form.id,
    ]);
    await home.call('PUT', `/open/forms/${form.id}`, { color: '#445566' });
    expect((await publish(form)).body.changed).toEqual(['title']);
    await save(form, { title: form.title, color: '#445566' });
    expect((await publish(form)).status).toBe(200);
  });

  test('once, whoever else tries at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const form = await home.form();
      await save(form, { title: 'Better' });
      const answers = await Promise.all([1, 2, 3, 4].map(() => publish(form)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
      expect((await read(form)).version).toBe(form.version + 1);
    }
  });

  test('a password of the draft protects the form', async () => {
    const form = await home.form();
    await save(form, { password: 'open sesame' });
    // A client sends back what it read.
    await save(form, (await home.call('GET', draftOf(form))).body.definition);
    expect((await home.submit(form, {})).status).toBe(200);
    expect((await publish(form)).body.form.has_password).toBe(true);
    expect((await home.submit(form, {})).status).toBe(403);
    expect((await home.submit(form, {}, { 'form-password': 'open sesame' })).status).toBe(200);
    // A mask keeps the present password; null removes it.
    await save(form, { password: '********', title: 'Kept' });
    expect((await publish(form)).body.form).toMatchObject({ has_password: true, title: 'Kept' });
    await save(form, { password: null });
    expect((await publish(form)).body.form.has_password).toBe(false);
    expectInvalid(await save(form, { password: 'x'.repeat(256) }), 'password');
  });

  test('a password that is set while another save goes on is kept by that', async () => {
    const [form, other] = [await home.form(), await home.form()];
    await save(form, { title: 'Begun' });
    await save(other, { password: 'open sesame' });
    const pool = home.service.context.pool;
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `update unpublished_changes mine set password_hash = theirs.password_hash, definition = theirs.definition
         from unpublished_changes theirs where mine.form_id = $1 and theirs.form_id = $2`,
        [form.id, other.id],
      );
      const saving = save(form, { title: 'Kept', password: '********' });
      await until(async () => {
        const { rows } = await pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      });
      await client.query('commit');
      expect((await saving).body.definition).toEqual({ title: 'Kept', password: '********' });
    } finally {
      client.release();
    }
    expect((await publish(form)).body.form).toMatchObject({ title: 'Kept', has_password: true });
    expect((await home.submit(form, {}, { 'form-password': 'open sesame' })).status).toBe(200);
  });

  test('code is for admins to save and to publish; what is there may stay', async () => {
    const form = await home.form();
    const { token } = await home.member('user');
    const block = { type: 'nf-code', id: 'code', content: '<script>2</script>' };
    for (const code of [{ custom_code: '<script>1</script>' }, { custom_code: 1 }, { properties: [block] }])
      expectRefused(await save(form, code, token), 403);
    expectRefused(await home.call('GET', draftOf(form)), 404);
    expect((await save(form, { properties: 'none yet' }, token)).status).toBe(200);
    await save(form, { custom_code: '<script>1</script>' });
    expect((await save(form, { custom_code: '<script>1</script>' }, token)).status).toBe(200);
    expectRefused(await save(form, { custom_code: '<script>2</script>' }, token), 403);
    expectRefused(await publish(form, {}, token), 403);
    expect((await publish(form)).status).toBe(200);
    await save(form, { properties: [block] });
    const hidden = { ...block, content: '<script>3</script>' };
    expectRefused(await save(form, { properties: [hidden, block] }, token), 403);
    await save(form, { custom_code: '<script>1</script>', title: 'Same code' }, token);
    expect((await publish(form, {}, token)).status).toBe(200);
  });
});
