import { CommandError } from '../cli/command.ts';
import { openConnection, readText, writeRequest } from './http-connection.ts';
import type { SampleForm } from './sample-form.ts';

/** The service as its owner sees it. */
export interface Api {
  /** @throws CommandError unless the status is 200 */
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is known by whoever asks
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Status and text of any response. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
  close(): void;
}

export async function openApi(url: string, token: string): Promise<Api> {
  let connection = await openConnection(url);
  const headers = { Authorization: `Bearer ${token}` };

  async function ask(method: string, path: string, body?: unknown) {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    if (!connection.isOpen) connection = await openConnection(url);
    const answer = await connection.send(writeRequest(method, url + path, { headers, ...content }));
    return { status: answer.status, text: readText(answer) };
  }

  return {
    ask,
    async call(method, path, body) {
      const { status, text } = await ask(method, path, body);
      if (status < 200 || status > 299)
        throw new CommandError(`${method} ${path} was answered ${status}: ${text}`);
      return JSON.parse(text);
    },
    close: () => connection.close(),
  };
}

export interface PublishedSample {
  id: number;
  slug: string;
  /** Path of the answer endpoint. */
  answerPath: string;
}

const SECRET = 'a secret of the benchmark';

/** Publishes a form, with a signed webhook unless `webhookUrl` is null. */
export async function publishSample(
  api: Api,
  sample: SampleForm,
  { webhookUrl, cap = null }: { webhookUrl: string | null; cap?: number | null },
): Promise<PublishedSample> {
  const workspaces = await api.call('GET', '/open/workspaces');
  const form = await api.call('POST', '/open/forms', {
    workspace_id: workspaces[0].id,
    title: 'Benchmark',
    properties: sample.properties,
    ...(cap !== null && { max_submissions_count: cap }),
  });
  if (webhookUrl !== null)
    await api.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      data: { webhook_url: webhookUrl, webhook_secret: SECRET },
    });
  return { id: form.id, slug: form.slug, answerPath: `/forms/${form.slug}/answer` };
}
