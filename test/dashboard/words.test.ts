import { expect, test } from 'vitest';
import { aboutText, describeEvent, THINGS } from '../../dashboard/routes/workspace/audit-words.ts';
import { AUDIT_VERBS } from '../../server/audit/verbs.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

/** The latest lines of the audit log, newest first. */
async function lines(count: number): Promise<string[]> {
  const { body } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`);
  return body.slice(0, count).map((event: any) => {
    const described = describeEvent(event);
    return `${described.words} | ${aboutText(described)}`;
  });
}

test('the audit log says what became of a form, and who as what', async () => {
  const form = await home.form({ title: 'Party', properties: [aTextField()] });
  const path = `/open/forms/${form.id}`;
  await home.call('PUT', path, { visibility: 'closed' });
  await home.call('PUT', path, { visibility: 'public' });
  await home.call('PUT', path, {
    max_submissions_count: 5,
    title: 'Feast',
    redirect_url: 'https://example.com',
  });
  await home.call('PUT', `${path}/draft`, { title: 'Ball' });
  await home.call('POST', `${path}/draft/publish`, {});
  expect(await lines(5)).toEqual([
    'Published the changes to a form | Ball: title',
    'Began to change a form | Feast',
    'Changed a form | Feast: title, limit on responses, address after sending',
    'Opened a form again | Party: state',
    'Closed a form | Party: state',
  ]);
  await home.newMember('readonly');
  expect((await lines(1))[0]).toMatch(/^Added a member \| .+ as Viewer$/);
});

test('the audit log says how many it was', async () => {
  const form = await home.form({ title: 'Counted', properties: [aTextField()] });
  const path = `/open/forms/${form.id}`;
  const submissions = Array.from({ length: 3 }, (_, n) => ({ answers: { [TEXT_FIELD_ID]: `${n}` } }));
  await home.call('POST', `${path}/submissions/import`, { submissions });
  const submissionIds = (await home.records(form)).slice(1).map(({ id }: any) => id);
  await home.call('PUT', `${path}/submissions/reviews`, { submissionIds, state: 'approved' });
  await home.call('POST', `${path}/submissions/trash`, { submissionIds });
  const people = [{ email: 'ann@example.com' }, { email: 'ben@example.com' }];
  const added = await home.call('POST', `${path}/recipients`, { recipients: people });
  expect(added.status, added.text).toBe(200);
  expect(await lines(4)).toEqual([
    'Added recipients: 2 | Counted',
    'Moved responses to the trash: 2 | Counted',
    'Reviewed responses: 2 | Counted',
    'Imported responses: 3 | Counted',
  ]);
});

test('an integration is called as in the list of integrations', async () => {
  const path = `/open/forms/${(await home.form({ title: 'Party' })).id}/integrations`;
  const add = async (kind: string, data: object) => {
    const added = await home.call('POST', path, { integration_id: kind, status: 'active', data });
    expect(added.status, added.text).toBe(200);
    return added.body.form_integration.id;
  };
  await add('email', { recipients: ['ada@example.com'] });
  await add('make', { webhook_url: 'https://hook.example.com/a' });
  const chat = await add('webhook', { webhook_url: 'https://hooks.example.com/b', format: 'slack' });
  await home.call('DELETE', `${path}/${chat}`);
  expect(await lines(4)).toEqual([
    'Deleted an integration | Slack · Party',
    'Added an integration | Slack · Party',
    'Added an integration | Make · Party',
    'Added an integration | Mail to owners · Party',
  ]);
});

test('an answer that was changed is not named by an id', async () => {
  const form = await home.form({ title: 'Party' });
  await home.submit(form, { [TEXT_FIELD_ID]: 'x' });
  const [record] = await home.records(form);
  await home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, { [TEXT_FIELD_ID]: 'y' });
  expect(await lines(1)).toEqual(['Changed a response | Party']);
});

test('the audit log of a workspace can be asked for everything that stands in it', () => {
  // Events of people and of the installation are in the operator's log only.
  const elsewhere = ['account', 'session', 'second_factor', 'single_sign_on', 'token', 'secret_key'];
  const things = new Set(AUDIT_VERBS.map((verb) => verb.split('.')[0] ?? ''));
  expect(Object.keys(THINGS).sort()).toEqual([...things].filter((one) => !elsewhere.includes(one)).sort());
});
