import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { aForm, aTextField, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();

const { call } = home;

describe('naming a form', () => {
  test('by id, slug and UUID', async () => {
    const form = await home.form();
    for (const ref of [form.id, form.slug, form.uuid, form.uuid.toUpperCase()]) {
      const answer = await call('GET', `/open/forms/${ref}`);
      expect(answer.status).toBe(200);
      expect(answer.body.id).toBe(form.id);
    }
  });

  test.each(['0', '01', '99999999999999999999', 'no-such-form', 'A', 'a%00b', '%F0%9F%98%80', 'a--b'])(
    '%s is no form',
    async (ref) => {
      const answer = await call('GET', `/open/forms/${ref}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Form not found.' });
    },
  );
});

describe('slugs', () => {
  test('a chosen one is kept, and taken for everybody else', async () => {
    const form = await home.form({ slug: 'my-own-slug' });
    expect(form.slug).toBe('my-own-slug');
    const second = await call('POST', '/open/forms', {
      workspace_id: home.workspaceId,
      title: 'x',
      slug: 'my-own-slug',
    });
    expect(second.status).toBe(422);
    expect(second.body.errors).toEqual({
      slug: ['This slug is already in use. Please choose another one.'],
    });
  });

  test('of many who want the same one at once exactly one gets it', async () => {
    const forms = await Promise.all(Array.from({ length: 8 }, () => home.form()));
    const answers = await Promise.all(
      forms.map(({ id }) => call('PUT', `/open/forms/${id}`, { slug: 'wanted' })),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 422)]);
  });

  test('regenerating one kills the old address', async () => {
    const form = await home.form();
    const { status, body } = await call('PUT', `/open/forms/${form.id}/regenerate-link/slug`);
    expect(status).toBe(200);
    expect(body.form.slug).not.toBe(form.slug);
    expect(body.message).toBe(
      `Form url successfully updated. Your new form url now is: ${body.form.share_url}.`,
    );
    expect((await home.service.request('GET', `/forms/${form.slug}`)).status).toBe(404);
    expect((await home.service.request('GET', `/forms/${body.form.slug}`)).status).toBe(200);
  });

  test('regenerating a UUID makes it the address and can be put back', async () => {
    const form = await home.form();
    const { body } = await call('PUT', `/open/forms/${form.id}/regenerate-link/uuid`);
    expect(body.form.uuid).not.toBe(form.uuid);
    expect(body.form.slug).toBe(body.form.uuid);
    expect((await home.service.request('GET', `/forms/${form.uuid}`)).status).toBe(404);
    expect((await home.service.request('GET', `/forms/${body.form.slug}`)).status).toBe(200);
    expect((await call('PUT', `/open/forms/${form.id}`, body.form)).status).toBe(200);
    expect((await call('PUT', `/open/forms/${form.id}/regenerate-link/other`)).status).toBe(422);
  });
});

describe('password', () => {
  test('is masked, survives its mask, and null clears it', async () => {
    const form = await home.form({ password: ' open sesame ' });
    expect(form).toMatchObject({ password: '********', has_password: true, is_password_protected: true });
    const kept = await call('PUT', `/open/forms/${form.id}`, { password: '********' });
    expect(kept.body.form.has_password).toBe(true);
    const headers = { 'form-password': 'x' };
    expect((await home.service.request('GET', `/forms/${form.slug}`, { headers })).body.properties).toEqual(
      [],
    );
    const cleared = await call('PUT', `/open/forms/${form.id}`, { password: '' });
    expect(cleared.body.form).toMatchObject({ password: null, has_password: false });
  });

  test('is not stored', async () => {
    const form = await home.form({ password: 'canary-7141' });
    const { rows } = await sql<{
      row: string;
    }>`select forms::text as row from forms where id = ${form.id}`.execute(home.service.context.db);
    expect(rows[0]!.row).not.toContain('canary-7141');
  });
});

describe('duplicate', () => {
  test('copies everything but submissions and deleted fields', async () => {
    const form = await home.form({
      title: 'T'.repeat(255),
      tags: ['x'],
      color: 'red',
      submission_retention_value: 5,
    });
    await call('PUT', `/open/forms/${form.id}`, { properties: [aTextField({ id: 'b' })] });
    const { status, body } = await call('POST', `/open/forms/${form.id}/duplicate`);
    expect(status).toBe(200);
    expect(body.type).toBe('success');
    expect(body.new_form).toMatchObject({
      title: `Copy of ${'T'.repeat(247)}`,
      tags: ['x'],
      color: 'red',
      submission_retention_unit: 'day',
      properties: [aTextField({ id: 'b' })],
      removed_properties: [],
      version: 1,
    });
    expect(body.new_form.id).not.toBe(form.id);
    expect(body.new_form.uuid).not.toBe(form.uuid);
    expect(body.new_form.slug).not.toBe(form.slug);
  });
});

describe('delete', () => {
  test('takes everything of the form and nothing else', async () => {
    const [form, other] = [await home.form(), await home.form()];
    for (const { id } of [form, other]) await fill(id, 45_000);
    const answer = await call('DELETE', `/open/forms/${form.id}`);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    const isGone = async () => (await rowsOf(form.id)).every((count) => count === 0);
    await until(isGone, { what: 'the deletion of all rows' });
    expect(await rowsOf(other.id)).toEqual([45_000, 45_000, 45_000, 45_000, 1, 1]);
    expect((await call('GET', `/open/forms/${form.id}`)).status).toBe(404);
    expect((await home.service.request('GET', `/forms/${form.slug}`)).status).toBe(404);
    expect((await call('DELETE', `/open/forms/${form.id}`)).status).toBe(404);
  });

  /** Runs `act` while somebody locks the keys of a form, so that its stored data cannot be deleted. */
  async function whileKeysAreLocked<Result>(formId: number, act: () => Promise<Result>): Promise<Result> {
    const holding = await home.service.context.pool.connect();
    try {
      await holding.query('begin');
      await holding.query('select from idempotency_keys where form_id = $1 for update', [formId]);
      const result = await act();
      await holding.query('commit');
      return result;
    } finally {
      holding.release(true);
    }
  }

  test('holds nobody up while what was stored for it goes', async () => {
    const form = await home.form();
    await fill(form.id, 5);
    const deleting = await whileKeysAreLocked(form.id, async () => {
      const status = call('DELETE', `/open/forms/${form.id}`).then((answer) => answer.status);
      await until(async () => (await call('GET', `/open/forms/${form.id}`)).status === 404);
      expect((await home.submit(form, {})).status).toBe(404);
      return { status };
    });
    expect(await deleting.status).toBe(204);
    expect(await rowsOf(form.id)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('leaves to the background what it could not remove', async () => {
    const form = await home.form();
    await fill(form.id, 5);
    await whileKeysAreLocked(form.id, async () => {
      expect((await call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    });
    await sql`select graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where key = ${`purge_form:${form.id}`}), run_at => now())`.execute(
      home.service.context.db,
    );
    await until(async () => (await rowsOf(form.id)).every((count) => count === 0));
  });

  test('leaves nothing for long, although the clock of the process is ahead of that of the database', async () => {
    const form = await home.form();
    await fill(form.id, 5);
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 24 * 60 * 60 * 1000);
    await whileKeysAreLocked(form.id, () => call('DELETE', `/open/forms/${form.id}`)).finally(() =>
      vi.restoreAllMocks(),
    );
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs
      where key = ${`purge_form:${form.id}`}`.execute(home.service.context.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
  });

  test('removes the files of its exports', async () => {
    const form = await home.form();
    const { context } = home.service;
    await context.files.write(
      'exports/of-a-deleted-form.csv',
      (await import('node:stream')).Readable.from(['x']),
    );
    await sql`insert into export_jobs (job_id, form_id, columns, file_name)
      values ('export_1', ${form.id}, '{}', 'exports/of-a-deleted-form.csv')`.execute(context.db);
    await call('DELETE', `/open/forms/${form.id}`);
    expect(await context.files.read('exports/of-a-deleted-form.csv')).toBeNull();
  });
});

/** Makes submissions, deliveries, attempts, idempotency keys and an integration for a form. */
async function fill(formId: number, count: number): Promise<void> {
  const { db } = home.service.context;
  await sql`insert into integrations (form_id, integration_id, status) values (${formId}, 'webhook', 'inactive')`.execute(
    db,
  );
  await sql`insert into submissions (form_id, public_id, status, data)
    select ${formId}, gen_random_uuid(), 'completed', '{}' from generate_series(1, ${count}::int)`.execute(
    db,
  );
  await sql`insert into deliveries (form_id, integration_id, submission_id, body, state)
    select ${formId}, 0, 0, '{}', 'delivered' from generate_series(1, ${count}::int)`.execute(db);
  await sql`insert into delivery_attempts (form_id, delivery_id, attempt, integration_id, started_at, duration_ms)
    select ${formId}, n / 3, n % 3, 0, now(), 1 from generate_series(1, ${count}::int) n`.execute(db);
  await sql`insert into idempotency_keys (form_id, key, body_hash, submission_public_id, was_partial, was_first)
    select ${formId}, 'k' || n, ''::bytea, gen_random_uuid(), false, false
    from generate_series(1, ${count}::int) n`.execute(db);
}

const TABLES_OF_A_FORM = [
  ...['submissions', 'deliveries', 'delivery_attempts', 'idempotency_keys'],
  ...['integrations', 'form_counters'],
];

/** The number of rows with the id of the form, per table. */
async function rowsOf(formId: number): Promise<number[]> {
  const counts = TABLES_OF_A_FORM.map(async (table) => {
    const count = sql<{ count: number }>`select count(*) from ${sql.table(table)} where form_id = ${formId}`;
    return Number((await count.execute(home.service.context.db)).rows[0]!.count);
  });
  return Promise.all(counts);
}

describe('lists', () => {
  test('the forms of a workspace, the last changed first, page by page', async () => {
    const own = await aWorkspace(home.service, home.ada, 'Lists');
    const forms = [];
    for (const title of ['One 100%', 'Two', 'Three'])
      forms.push(
        await aForm(home.service, home.ada, own, {
          title,
          tags: [title],
          visibility: title === 'Two' ? 'draft' : 'public',
        }),
      );
    await call('PUT', `/open/forms/${forms[0].id}`, { color: 'red' });
    const path = `/open/workspaces/${own}/forms`;
    const { body } = await call('GET', `${path}?per_page=2`);
    expect(body.data.map((form: { title: string }) => form.title)).toEqual(['One 100%', 'Three']);
    expect(Object.keys(body.data[0]).sort()).toEqual(
      [
        'id',
        'slug',
        'title',
        'visibility',
        'tags',
        'views_count',
        'submissions_count',
        'partial_count',
        'last_submission_at',
        'created_at',
        'updated_at',
      ]
        .concat([
          'last_edited_human',
          'closes_at',
          'is_closed',
          'max_submissions_count',
          'workspace_id',
          'share_url',
          'trash_ends_at',
          'opens_at',
        ])
        .concat('max_number_of_submissions_reached')
        .sort(),
    );
    expect(body.links).toEqual({
      first: `${home.service.url}${path}?per_page=2&page=1`,
      last: `${home.service.url}${path}?per_page=2&page=2`,
      prev: null,
      next: `${home.service.url}${path}?per_page=2&page=2`,
    });
    expect(body.meta).toMatchObject({ current_page: 1, from: 1, to: 2, last_page: 2, per_page: 2, total: 3 });
    const second = await call('GET', `${path}?per_page=2&page=2`);
    expect(second.body.data).toHaveLength(1);
    const beyond = await call('GET', `${path}?page=9`);
    expect(beyond.body.meta).toMatchObject({ from: null, to: null, total: 3 });
    for (const [query, titles] of [
      ['search=100%25', ['One 100%']],
      ['search=TWO', ['Two']],
      ['tag=Three', ['Three']],
      ['visibility=draft', ['Two']],
    ] as const) {
      const found = await call('GET', `${path}?${query}`);
      expect(found.body.data.map((form: { title: string }) => form.title)).toEqual(titles);
    }
  });

  test('per_page is brought into 1 to 100', async () => {
    const path = `/open/workspaces/${home.workspaceId}/forms`;
    for (const [asked, given] of [
      ['1000', 100],
      ['0', 1],
      ['-3', 1],
    ] as const)
      expect((await call('GET', `${path}?per_page=${asked}`)).body.meta.per_page).toBe(given);
    expect((await call('GET', `${path}?page=1e300`)).status).toBe(200);
    expect((await call('GET', `${path}?page=x`)).status).toBe(422);
    expect((await call('GET', `${path}?search=%00`)).status).toBeLessThan(500);
  });

  test('all forms of the caller as a bare array', async () => {
    const stranger = await home.stranger();
    const theirs = await aWorkspace(home.service, stranger);
    const form = await aForm(home.service, stranger, theirs);
    const { body } = await call('GET', '/open/forms', undefined, stranger.token);
    expect(body).toEqual([expect.objectContaining({ id: form.id, properties: form.properties })]);
  });
});

describe('who may', () => {
  test('readonly members read, without the password, and nothing else', async () => {
    const reader = await home.member('readonly');
    const form = await home.form({ password: 'x' });
    const read = await call('GET', `/open/forms/${form.id}`, undefined, reader.token);
    expect(read.status).toBe(200);
    expect(read.body).not.toHaveProperty('password');
    expect(read.body).toMatchObject({ has_password: true, workspace: { is_readonly: true } });
    for (const [method, path, body] of [
      ['PUT', `/open/forms/${form.id}`, {}],
      ['DELETE', `/open/forms/${form.id}`],
      ['POST', `/open/forms/${form.id}/duplicate`],
      ['PUT', `/open/forms/${form.id}/regenerate-link/slug`],
      ['POST', '/open/forms', { workspace_id: home.workspaceId, title: 'x' }],
    ] as const) {
      expect((await call(method, path, body, reader.token)).status).toBe(403);
    }
  });

  test('strangers and tokens without the ability are refused before anything is judged', async () => {
    const stranger = await home.stranger();
    const form = await home.form();
    expect((await call('PUT', `/open/forms/${form.id}`, { theme: 'neon' }, stranger.token)).status).toBe(403);
    expect((await call('GET', `/open/forms/${form.id}`, undefined, stranger.token)).status).toBe(403);
    const readOnly = await home.tokenWith('forms-read');
    expect((await call('DELETE', `/open/forms/${form.id}`, undefined, readOnly)).status).toBe(403);
    expect((await home.service.request('GET', `/open/forms/${form.id}`)).status).toBe(401);
  });
});
