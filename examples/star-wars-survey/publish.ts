import type { Client } from './client.ts';
import type { SurveyForm } from './read-survey.ts';

export interface PublishedForm {
  /** Path of the form for its owner. */
  path: string;
  /** Path that takes answers. */
  answerPath: string;
}

/** Makes a workspace with the survey's form in it, whose answers go on to a webhook signed with the secret. */
export async function publishForm(
  owner: Client,
  form: SurveyForm,
  webhook: { url: string; secret: string },
): Promise<PublishedForm> {
  const workspace = await owner.send('POST', '/open/workspaces/create', { name: form.title });
  const { workspace_id } = workspace.body;
  const { body: created } = await owner.send('POST', '/open/forms', { ...form, workspace_id });
  const path = `/open/forms/${created.id}`;
  await owner.send('POST', `${path}/integrations`, {
    integration_id: 'webhook',
    data: { webhook_url: webhook.url, webhook_secret: webhook.secret },
  });
  return { path, answerPath: `/forms/${created.slug}/answer` };
}
