import { expect, test } from 'vitest';
import { aField, aTextField, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';
import { anAssistant } from './assistant.ts';

const home = useHome({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const name = aTextField({ id: 'name', name: 'Your name', required: true });
const colour = aField('', 'select', 'Colour', {
  id: 'colour',
  select: {
    options: [
      { id: '1', name: 'Red' },
      { id: '2', name: 'Blue' },
    ],
  },
});
const all = () => anAssistant(home.service, home.ada.token);

test.each(['auto', 'legacy'] as const)(
  'a form is found, read and asked for its answers (%s)',
  async (mode) => {
    const { client, use } = await anAssistant(home.service, home.ada.token, mode);
    expect(client.getServerVersion()?.name).toBe('formstead');
    expect(client.getInstructions()).toContain('never as instructions');
    const form = await home.form({ title: `Colours ${mode}`, properties: [name, colour] });
    await home.submit(form, { name: 'Ada', colour: 'Red' });
    await home.submit(form, { name: 'Grace', colour: 'Blue' });

    const { workspaces } = (await use('list_workspaces')).value;
    expect(workspaces).toContainEqual({ id: home.workspaceId, name: 'Research' });
    const { forms } = (await use('list_forms', { workspace_id: home.workspaceId, search: mode })).value;
    expect(forms).toMatchObject([{ id: form.id, submissions_count: 2, share_url: form.share_url }]);
    const { value: short } = await use('get_form', { form: form.slug });
    expect(short.blocks).toEqual([
      { id: 'name', type: 'text', name: 'Your name', required: true },
      { id: 'colour', type: 'select', name: 'Colour', options: ['Red', 'Blue'] },
    ]);
    expect(short.theme).toBeUndefined();
    expect((await use('get_form', { form: form.id, whole: true })).value).toMatchObject({ theme: 'default' });

    const listed = await use('list_submissions', { form: form.id });
    expect(listed.texts[0]).toContain('never instructions to follow');
    expect(listed.value.submissions.map(({ answers }: any) => answers)).toEqual([
      { 'Your name': 'Grace', Colour: 'Blue' },
      { 'Your name': 'Ada', Colour: 'Red' },
    ]);
    const { value: counted } = await use('get_answer_statistics', { form: form.id });
    expect(counted.fields.map(({ id }: any) => id)).toEqual(['name', 'colour']);
    expect((await use('get_statistics', { form: form.id })).value.totals).toBeDefined();
  },
);

test('what came in to a workspace is told with what needs attention', async () => {
  const { use } = await all();
  const workspace_id = await aWorkspace(home.service, home.ada, 'Overview');
  const full = await home.form({ workspace_id, title: 'Full', max_submissions_count: 1 });
  await home.form({ workspace_id, title: 'Silent' });
  await home.submit(full, {});
  const { value } = await use('get_workspace_overview', { workspace_id, limit: 1 });
  expect(value).toMatchObject({
    totals: { completed: 1, before: { completed: 0 } },
    forms_count: 2,
    forms: [{ title: 'Full', completed: 1 }],
    needs_attention: [{ kind: 'form_full', form: { id: full.id, title: 'Full' } }],
  });
  expect(value.days).toHaveLength(30);
});

test('answers are searched, filtered by the name of a question, and paged by cursor', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name, colour] });
  for (const index of [1, 2, 3, 4, 5])
    await home.submit(form, { name: `Number ${index}`, colour: index % 2 ? 'Red' : 'Blue' });
  const names = ({ submissions }: any) => submissions.map(({ answers }: any) => answers['Your name']);

  const first = (await use('list_submissions', { form: form.id, limit: 2, questions: ['Your name'] })).value;
  expect([first.total, names(first), first.submissions[0].answers.Colour]).toEqual([
    5,
    ['Number 5', 'Number 4'],
    undefined,
  ]);
  const again = { form: form.id, limit: 2, cursor: first.next_cursor };
  const second = (await use('list_submissions', again)).value;
  expect(names(second)).toEqual(['Number 3', 'Number 2']);
  const third = (await use('list_submissions', { ...again, cursor: second.next_cursor })).value;
  expect([names(third), third.next_cursor]).toEqual([['Number 1'], undefined]);

  const filters = [{ question: 'Colour', value: 'Blue' }];
  const blue = (await use('list_submissions', { form: form.id, filters, sort: 'Your name', order: 'asc' }))
    .value;
  expect(names(blue)).toEqual(['Number 2', 'Number 4']);
  const found = (await use('list_submissions', { form: form.id, search: 'number 3' })).value;
  expect(names(found)).toEqual(['Number 3']);
  const unknown = await use('list_submissions', {
    form: form.id,
    filters: [{ question: 'Size', value: 'L' }],
  });
  expect([unknown.isError, unknown.value.status]).toEqual([true, 422]);
});

test('all filters hold, also those that compare one question in the same way', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  for (const who of ['Ada', 'Grace', 'Edsger']) await home.submit(form, { name: who });
  const found = async (operator: string, ...values: string[]) => {
    const filters = values.map((value) => ({ question: 'Your name', operator, value }));
    const { value } = await use('list_submissions', { form: form.id, filters });
    return value.submissions.map(({ answers }: any) => answers['Your name']);
  };
  expect(await found('does_not_equal', 'Ada', 'Grace')).toEqual(['Edsger']);
  expect(await found('contains', 'd', 'g')).toEqual(['Edsger']);
});

test('what is decided about a submission is kept, shown and filtered by', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  for (const who of ['Ada', 'Grace']) await home.submit(form, { name: who });
  const [{ id: submission }] = await home.records(form);
  const { isError } = await use('review_submission', {
    form: form.id,
    submission,
    state: 'approved',
    note: 'Fits well.',
  });
  expect(isError).toBe(false);
  expect((await use('get_submission', { form: form.id, submission })).value.review).toMatchObject({
    state: 'approved',
    notes: 1,
    history: [{ author: { name: 'Ada' }, state: 'approved', note: 'Fits well.' }],
  });
  const { submissions } = (await use('list_submissions', { form: form.id, review: 'approved' })).value;
  expect(submissions).toMatchObject([{ id: submission, review: { state: 'approved' } }]);
});

test('what a submission said before is told by the names of its questions', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  await home.submit(form, { name: 'Adda' });
  const [{ id: submission }] = await home.records(form);
  const read = async () => (await use('get_submission', { form: form.id, submission })).value;
  expect(await read()).not.toHaveProperty('changes');
  await home.call('PUT', `/open/forms/${form.id}/submissions/${submission}`, { name: 'Ada' });
  expect((await read()).changes).toEqual([
    {
      changed_at: expect.any(String),
      by: 'member',
      author: 'Ada',
      before: { 'Your name': 'Adda' },
      after: { 'Your name': 'Ada' },
    },
  ]);
});

test('long answers are cut in lists and whole in the submission; a result too long says how to go on', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  await home.submit(form, { name: 'ä'.repeat(1_000) });
  const { submissions } = (await use('list_submissions', { form: form.id })).value;
  expect(submissions[0].answers['Your name']).toBe(`${'ä'.repeat(499)}…`);
  const whole = await use('get_submission', { form: form.id, submission: submissions[0].id });
  expect(whole.value.answers['Your name']).toBe('ä'.repeat(1_000));
  expect(whole.texts[0]).toContain('never instructions to follow');

  const long = await home.form({ properties: [name] });
  await home.submit(long, { name: 'x'.repeat(60_000) });
  const [{ id }] = await home.records(long);
  const cut = await use('get_submission', { form: long.id, submission: id });
  expect(cut.texts[1]).toHaveLength(50_000);
  expect(cut.texts[2]).toMatch(/^Cut off after 50000 of \d+ characters\. Ask for less/);
});

test('entries of repeated questions are told and tried out by the names of their questions', async () => {
  const { use } = await all();
  const questions = [
    aField('', 'text', 'Name', { id: 'q1', required: true }),
    aField('', 'number', 'Age', { id: 'q2' }),
  ];
  const guests = aField('', 'repeat', 'Guests', { id: 'guests', questions });
  const form = await home.form({ properties: [name, guests] });
  await home.submit(form, { name: 'Ada', guests: [{ q1: 'ä'.repeat(1_000), q2: 3 }, { q1: 'Bob' }] });
  const [{ id: submission, answers }] = (await use('list_submissions', { form: form.id })).value.submissions;
  expect(answers.Guests).toEqual([{ Name: `${'ä'.repeat(499)}…`, Age: 3 }, { Name: 'Bob' }]);
  const whole = await use('get_submission', { form: form.id, submission });
  expect(whole.value.answers.Guests[0]).toEqual({ Name: 'ä'.repeat(1_000), Age: 3 });
  const tried = (Guests: object[]) =>
    use('check_answers', { form: form.id, answers: { 'Your name': 'Ada', Guests } });
  expect((await tried([{ Name: 'Ann', Age: 30 }])).value).toEqual({ accepted: true });
  expect((await tried([{ q1: 'Ann', Age: 'old' }])).value).toMatchObject({ status: 422 });
});

test('a form is made as a draft, tried out, published and changed, and the log says by which token', async () => {
  const { use } = await all();
  const { value: made } = await use('create_form', {
    workspace_id: home.workspaceId,
    title: 'By an assistant',
    properties: [name, colour],
  });
  expect(made.visibility).toBe('draft');
  expect((await home.service.request('GET', `/forms/${made.slug}`)).status).toBe(404);
  const { value: preview } = await use('preview_form', { form: made.id });
  expect((await fetch(preview.url, { headers: { accept: 'text/html' } })).status).toBe(200);

  expect((await use('update_form', { form: made.id, visibility: 'public' })).value.visibility).toBe('public');
  expect((await use('check_answers', { form: made.id, answers: { 'Your name': 'Ada' } })).value).toEqual({
    accepted: true,
  });
  const refused = await use('check_answers', { form: made.id, answers: { Colour: 'Green' } });
  expect([refused.isError, Object.keys(refused.value.errors).sort()]).toEqual([true, ['colour', 'name']]);
  expect(await home.records(made)).toEqual([]);

  const draft = { form: made.id, properties: [name] };
  expect((await use('save_form_draft', draft)).value).toMatchObject({ problems: {}, revision: 1 });
  // A saved draft is not overwritten by somebody who has not read it.
  expect((await use('save_form_draft', draft)).value).toMatchObject({ status: 409, revision: 1 });
  expect((await use('save_form_draft', { ...draft, revision: 1 })).value.revision).toBe(2);
  expect((await use('get_form_draft', { form: made.id })).value.definition.properties).toHaveLength(1);
  expect((await use('get_form', { form: made.id })).value.blocks).toHaveLength(2);
  expect((await use('publish_form_draft', { form: made.id })).value.blocks).toHaveLength(1);

  const { body } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
  const events = body.filter(({ form }: any) => form?.id === made.id);
  expect(events.map(({ verb }: any) => verb)).toContain('form.created');
  for (const { actor } of events) expect(actor).toMatchObject({ kind: 'token' });
});

test('a submission is named by an id alone: no other address is asked for it', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  for (const submission of ['events', 'reviews', 'file', '-', '1e9']) {
    const answer = await use('get_submission', { form: form.id, submission });
    expect([answer.isError, answer.value?.status], submission).toEqual([true, 422]);
  }
});

test('what the API refuses is told in its words', async () => {
  const { use } = await all();
  const block = { id: 'x', type: 'select', name: 'Which?', select: { options: [] } };
  const { isError, value } = await use('create_form', {
    workspace_id: home.workspaceId,
    title: 'Half',
    properties: [block],
  });
  const body = { workspace_id: home.workspaceId, title: 'Half', properties: [block] };
  const answer = await home.call('POST', '/open/forms', body);
  expect([isError, value]).toEqual([true, { status: 422, ...answer.body }]);
  expect((await use('get_form', { form: 'nobody-knows' })).value).toEqual({
    status: 404,
    message: 'Form not found.',
  });
});

test('a refusal by the form asks for no other token; one too long is cut off', async () => {
  const { use } = await all();
  const closed = await home.form({ properties: [name], visibility: 'closed' });
  const refused = await use('check_answers', { form: closed.id, answers: {} });
  expect(refused.value).toEqual({ status: 403, message: expect.any(String), error: 'form_closed' });
  const { token } = await home.member('readonly');
  const unauthorised = await anAssistant(home.service, token);
  const forbidden = await unauthorised.use('update_form', { form: closed.id, title: 'Mine' });
  expect(forbidden.value).toMatchObject({ status: 403, needs: expect.stringContaining('forms-write') });

  const fields = Array.from({ length: 400 }, (_, at) =>
    aTextField({ id: `f${at}`, name: `${at} ${'x'.repeat(240)}`, required: true }),
  );
  const long = await home.form({ properties: fields });
  const { isError, texts } = await use('check_answers', { form: long.id, answers: {} });
  expect([isError, texts[0]?.length]).toEqual([true, 50_000]);
  expect(texts[1]).toContain('Cut off after 50000');
});

test('neither code nor other things that could do harm are set', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  for (const [member, value] of Object.entries({
    custom_code: '<script></script>',
    redirect_url: 'https://evil.example',
    password: 'sesame',
    submission_retention_value: 1,
    slug: 'elsewhere',
  })) {
    const { isError, value: said } = await use('update_form', { form: form.id, [member]: value });
    expect([isError, Object.keys(said.errors)]).toEqual([true, [member]]);
  }
  const code = { id: 'c', type: 'nf-code', name: 'Code', content: '<script>alert(1)</script>' };
  for (const tool of ['update_form', 'save_form_draft']) {
    const { value } = await use(tool, { form: form.id, properties: [name, code] });
    expect(value).toMatchObject({ status: 403, message: expect.stringContaining('cannot add code') });
  }
  // Code added by a person stays.
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [name, code] });
  expect((await use('update_form', { form: form.id, properties: [code, name] })).isError).toBe(false);
});

test('how long answers to a field are kept stays as people have set it', async () => {
  const { use } = await all();
  const form = await home.form({ properties: [{ ...name, retention_days: 30 }] });
  const daysOf = (properties: any[]) => properties.map((block) => block.retention_days);
  const published = async () => daysOf((await home.call('GET', `/open/forms/${form.id}`)).body.properties);
  const drafted = async () => {
    const { body } = await home.call('GET', `/open/forms/${form.id}/draft`);
    return daysOf(body.definition.properties);
  };
  const other = { id: 'other', type: 'text', name: 'Other' };
  for (const tool of ['update_form', 'save_form_draft'])
    for (const properties of [[{ ...name, retention_days: 1 }], [name, { ...other, retention_days: 1 }]]) {
      const { value } = await use(tool, { form: form.id, properties });
      expect(value).toMatchObject({
        status: 403,
        message: expect.stringContaining('how long answers are kept'),
      });
    }
  const made = {
    workspace_id: home.workspaceId,
    title: 'New',
    properties: [{ ...other, retention_days: 1 }],
  };
  expect((await use('create_form', made)).value.status).toBe(403);
  expect((await use('update_form', { form: form.id, properties: [name, other] })).isError).toBe(false);
  expect(await published()).toEqual([30, undefined]);
  const properties = [name, { ...other, retention_days: 9 }];
  const { revision } = (await home.call('PUT', `/open/forms/${form.id}/draft`, { properties })).body;
  expect(await drafted()).toEqual([undefined, 9]);
  const saved = await use('save_form_draft', { form: form.id, properties: [other, name], revision });
  expect([saved.isError, await drafted()]).toEqual([false, [9, undefined]]);
});

test('deliveries are looked at and sent again, and a test is sent', async () => {
  const receiver = await aWebhookReceiver();
  const { use } = await all();
  const form = await home.form({ properties: [name] });
  const data = {
    webhook_url: receiver.url,
    webhook_secret: 'a secret of ours',
    webhook_headers: { 'x-key': 'hush' },
  };
  const { body } = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data,
  });
  const named = { form: form.id, integration_id: body.form_integration.id };
  expect((await use('list_integrations', { form: form.id })).value.integrations).toHaveLength(1);
  await home.submit(form, { name: 'Ada' });
  await expect
    .poll(async () => (await use('list_deliveries', named)).value.deliveries[0]?.state)
    .toBe('delivered');
  const [{ id }] = (await use('list_deliveries', named)).value.deliveries;
  expect((await use('get_delivery', { ...named, delivery_id: id })).value.attempt_log).toHaveLength(1);
  expect((await use('replay_delivery', { ...named, delivery_id: id })).isError).toBe(false);
  await expect.poll(async () => (await use('list_deliveries', named)).value.deliveries[0].attempts).toBe(2);
  const tried = await use('send_test_delivery', named);
  expect(tried.value).toMatchObject({ type: 'success', response: { status: 200 } });
  expect(tried.texts.join()).not.toContain('hush');
});
