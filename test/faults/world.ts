import { aForm, aUser, aWorkspace, type TestUser } from '../setup/factories.ts';
import { type Answer, request, type TestService } from '../setup/service.ts';

/** A person, a form, and calls to the service wherever it listens at the moment. */
export interface World {
  ada: TestUser;
  workspaceId: number;
  form: { id: number; slug: string };
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  aForm(overrides?: Record<string, unknown>): Promise<{ id: number; slug: string }>;
  /** @returns its id */
  anIntegration(form: { id: number }, url: string, secret?: string): Promise<number>;
}

/** @param url called at each request, since a restarted service listens elsewhere */
export async function makeWorld(url: () => string): Promise<World> {
  const service = {
    request: (method: string, path: string, options?: object) => request(url() + path, method, options),
  } as TestService;
  const ada = await aUser(service);
  const workspaceId = await aWorkspace(service, ada);
  const world: World = {
    ada,
    workspaceId,
    form: undefined as unknown as World['form'],
    call: (method, path, body) => service.request(method, path, { token: ada.token, body }),
    aForm: (overrides) => aForm(service, ada, workspaceId, overrides),
    async anIntegration(form, webhookUrl, secret) {
      const data = { webhook_url: webhookUrl, ...(secret && { webhook_secret: secret }) };
      const answer = await world.call('POST', `/open/forms/${form.id}/integrations`, {
        integration_id: 'webhook',
        data,
      });
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.form_integration.id;
    },
  };
  world.form = await world.aForm();
  return world;
}
