import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { aForm, aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome();
const SUBMISSIONS = 300;
/** Requests to one receiver at a time. */
const ON_THE_WIRE = 5;
/** Each round deletes at another moment between two reads of the integration. */
const ROUNDS = 4;

test.each(['form', 'workspace'])('nothing more is sent once a %s was deleted', async (what) => {
  for (let round = 0; round < ROUNDS; round++) {
    const workspaceId = await aWorkspace(home.service, home.ada);
    const form: any = await aForm(home.service, home.ada, workspaceId, { properties: [aTextField()] });
    const receiver = await aWebhookReceiver();
    let answerFirst = () => {};
    const holdFirst = (response: ServerResponse) => {
      answerFirst = () => response.end();
    };
    receiver.script([holdFirst], { status: 200, delayMs: 5 });
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: receiver.url },
    });
    await Promise.all(
      Array.from({ length: SUBMISSIONS }, (_, n) => home.submit(form, { [TEXT_FIELD_ID]: `Nr. ${n}` })),
    );
    await receiver.received(1);
    answerFirst();
    await receiver.received(20 + 5 * round);
    const path = what === 'form' ? `/open/forms/${form.id}` : `/open/workspaces/${workspaceId}`;
    const answer = await home.call('DELETE', path);
    const before = receiver.requests.length;
    expect(answer.status, answer.text).toBeLessThan(300);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(receiver.requests.length).toBeLessThanOrEqual(before + ON_THE_WIRE);
    expect(before).toBeLessThan(SUBMISSIONS);
  }
});
