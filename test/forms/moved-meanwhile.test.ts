import { beforeAll, expect, test } from 'vitest';
import { aField, aForm, aWorkspace, type TestUser } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import { changedMeanwhile } from '../setup/meanwhile.ts';

/** A call that was allowed in the old workspace must change nothing once the form has moved to one where it is not. */
const home = useHome({ env: { EXPORT_SYNC_LIMIT: '1' } });
const HOOK = 'https://hooks.example.com/one';
const LONG_AGO = '2020-01-01T00:00:00Z';
const NAME = aField('01', 'text', 'Name');
const COLUMNS = { columns: { [NAME.id]: true } };
const WEBHOOK = { integration_id: 'webhook', data: { webhook_url: HOOK } };

let mallory: TestUser;
let own: number;
let form: any;
let integration: any;
let submission: number;
let delivery: number;
let table: number;
let view: number;
let scenario: number;
beforeAll(async () => {
  mallory = await home.newMember('user');
  own = await aWorkspace(home.service, mallory);
});

const call = (method: string, path: string, body?: unknown) => home.call(method, path, body, mallory.token);
const ofForm = (path = '') => `/open/forms/${form.id}${path}`;
const ofIntegration = () => ofForm(`/integrations/${integration.id}`);
const ofSubmission = (path = '') => ofForm(`/submissions/${submission}${path}`);
const hook = () => ({ hookUrl: HOOK, form_id: form.id });

test.each<[string, () => ReturnType<typeof call>]>([
  ['deleting it', () => call('DELETE', ofForm())],
  ['putting it into the trash', () => call('POST', ofForm('/trash'))],
  ['taking it out', () => call('DELETE', ofForm('/trash'))],
  ['publishing its draft', () => call('POST', ofForm('/draft/publish'), {})],
  ['giving it another link', () => call('PUT', ofForm('/regenerate-link/uuid'))],
  ['adding an integration', () => call('POST', ofForm('/integrations'), WEBHOOK)],
  ['changing one', () => call('PUT', ofIntegration(), { ...WEBHOOK, status: 'inactive' })],
  ['removing one', () => call('DELETE', ofIntegration())],
  ['subscribing a hook', () => call('POST', '/external/zapier/webhook', hook())],
  ['unsubscribing one', () => call('DELETE', '/external/zapier/webhook', hook())],
  ['sending a delivery again', () => call('POST', `${ofIntegration()}/deliveries/${delivery}/replay`)],
  [
    'sending all of them again',
    () => call('POST', `${ofIntegration()}/deliveries/replay`, { since: LONG_AGO }),
  ],
  ['testing one', () => call('POST', `${ofIntegration()}/test`)],
  ['throwing its draft away', () => call('DELETE', ofForm('/draft'))],
  ['ending a link of a live table', () => call('DELETE', ofForm(`/live-tables/${table}`))],
  ['saving a view', () => call('POST', ofForm('/saved-views'), { name: 'Another', definition: {} })],
  ['renaming one', () => call('PUT', ofForm(`/saved-views/${view}`), { name: 'Mine' })],
  ['deleting a view', () => call('DELETE', ofForm(`/saved-views/${view}`))],
  ['saving a scenario', () => call('POST', ofForm('/scenarios'), { name: 'Another', answers: {} })],
  ['renaming one', () => call('PUT', ofForm(`/scenarios/${scenario}`), { name: 'Mine' })],
  ['deleting a scenario', () => call('DELETE', ofForm(`/scenarios/${scenario}`))],
  ['copying it', () => call('POST', ofForm('/duplicate'))],
  ['editing a submission', () => call('PUT', ofSubmission(), { [NAME.id]: 'Mallory' })],
  ['deleting one', () => call('DELETE', ofSubmission())],
  ['deleting several', () => call('POST', ofForm('/submissions/multi'), { submissionIds: [submission] })],
  ['reviewing one', () => call('POST', ofSubmission('/review'), { state: 'approved' })],
  [
    'reviewing several',
    () => call('PUT', ofForm('/submissions/reviews'), { submissionIds: [submission], state: 'approved' }),
  ],
  ['exporting them', () => call('POST', ofForm('/submissions/export'), COLUMNS)],
  [
    'exporting them with their files',
    () => call('POST', ofForm('/submissions/export'), { ...COLUMNS, format: 'zip' }),
  ],
  ['importing others', () => call('POST', ofForm('/submissions/import'), { submissions: [{ answers: {} }] })],
])('%s is refused when the form moves away meanwhile', async (_what, begin) => {
  form = await aForm(home.service, mallory, own, { properties: [NAME] });
  await home.submit(form, { [NAME.id]: 'Grace' });
  submission = (await call('GET', ofForm('/submissions'))).body.data[0].id;
  table = (await call('POST', ofForm('/live-tables'), { name: 'Table' })).body.id;
  view = (await call('POST', ofForm('/saved-views'), { name: 'All', definition: {} })).body.view.id;
  scenario = (await call('POST', ofForm('/scenarios'), { name: 'All', answers: {} })).body.scenario.id;
  const made = await call('POST', ofForm('/integrations'), { ...WEBHOOK, integration_id: 'zapier' });
  integration = made.body.form_integration;
  delivery = await aDelivery();
  expect((await call('PUT', ofForm('/draft'), { title: 'Taken over' })).status).toBe(200);
  const before = await stateOf();
  const answer = await changedMeanwhile(home.service.context.pool, form.id, begin, (client) =>
    client.query('update forms set workspace_id = $2 where id = $1', [form.id, home.workspaceId]),
  );
  expectRefused(answer, 409);
  expect(answer.body.message).toBe('The form was moved a moment ago.');
  expect(await stateOf()).toEqual(before);
});

/** The form and its integrations as they are stored. */
async function stateOf() {
  const { db } = home.service.context;
  const { title, slug, version } = await db
    .selectFrom('forms')
    .select(['title', 'slug', 'version'])
    .where('id', '=', form.id)
    .executeTakeFirstOrThrow();
  const integrations = await db
    .selectFrom('integrations')
    .selectAll()
    .where('form_id', '=', form.id)
    .execute();
  const rows = await Promise.all(
    (
      [
        'submissions',
        'review_entries',
        'deliveries',
        'live_tables',
        'saved_views',
        'form_scenarios',
        'unpublished_changes',
        'export_jobs',
      ] as const
    ).map((table) => db.selectFrom(table).selectAll().where('form_id', '=', form.id).execute()),
  );
  const forms = await db
    .selectFrom('forms')
    .select('id')
    .where('workspace_id', 'in', [own, home.workspaceId])
    .execute();
  return { title, slug, version, integrations, rows, forms: forms.length };
}

/** A delivery that has arrived. */
async function aDelivery(): Promise<number> {
  const { id } = await home.service.context.db
    .insertInto('deliveries')
    .values({
      form_id: form.id,
      integration_id: integration.id,
      submission_id: submission,
      body: '{}',
      state: 'delivered',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
