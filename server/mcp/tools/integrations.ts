import Type from 'typebox';
import { State } from '../../deliveries/schemas.ts';
import { FormName, limitUpTo, PositiveId, type Tool, tool } from '../tool.ts';
import { pathOf, texts } from './forms.ts';

const Named = { form: FormName, integration_id: PositiveId };

export const INTEGRATION_TOOLS: Tool[] = [
  tool({
    name: 'list_integrations',
    title: 'List the integrations of a form',
    description:
      'Lists where new submissions of a form are sent: webhooks, chats, mails, automation platforms, each with its ' +
      'state and since when it fails. Secrets are masked. Integrations are added and changed in the dashboard.',
    ability: 'manage-integrations',
    effect: 'reads',
    input: Type.Object({ form: FormName }),
    run: async (api, { form }) => ({ integrations: await api('GET', `${pathOf(form)}/integrations`) }),
  }),
  tool({
    name: 'list_deliveries',
    title: 'List the deliveries of an integration',
    description:
      'Lists what an integration has sent, latest first, each with its state (pending, delivered, exhausted after ' +
      'the last attempt, cancelled) and the outcome of the last attempt. For more, call again with the id of the ' +
      'last one as "before".',
    ability: 'manage-integrations',
    effect: 'reads',
    input: Type.Object({
      ...Named,
      state: Type.Optional(State),
      before: Type.Optional(PositiveId),
      limit: limitUpTo(50, 10),
    }),
    run: async (api, { form, integration_id, ...query }) => ({
      deliveries: await api('GET', `${pathOf(form)}/integrations/${integration_id}/deliveries`, {
        query: texts(query),
      }),
    }),
  }),
  tool({
    name: 'get_delivery',
    title: 'Read a delivery with its attempts',
    description:
      'Reads one delivery: the text that is sent, and every attempt with the response of the receiver.',
    ability: 'manage-integrations',
    effect: 'reads',
    holdsForeignText: true,
    input: Type.Object({ ...Named, delivery_id: PositiveId }),
    run: (api, { form, integration_id, delivery_id }) =>
      api('GET', `${pathOf(form)}/integrations/${integration_id}/deliveries/${delivery_id}`),
  }),
  tool({
    name: 'replay_delivery',
    title: 'Send a delivery again',
    description:
      'Sends one delivery again, unchanged, whatever its state. The receiver can recognise it by its webhook-id.',
    ability: 'manage-integrations',
    effect: 'sends',
    input: Type.Object({ ...Named, delivery_id: PositiveId }),
    run: (api, { form, integration_id, delivery_id }) =>
      api('POST', `${pathOf(form)}/integrations/${integration_id}/deliveries/${delivery_id}/replay`),
  }),
  tool({
    name: 'send_test_delivery',
    title: 'Send a test delivery',
    description: 'Sends made-up answers to an integration once, and returns the response.',
    ability: 'manage-integrations',
    effect: 'sends',
    holdsForeignText: true,
    input: Type.Object(Named),
    async run(api, { form, integration_id }) {
      const result = await api('POST', `${pathOf(form)}/integrations/${integration_id}/test`);
      // Its headers hold credentials that the owner set.
      const { url, body } = result.request;
      return { ...result, request: { url, body } };
    },
  }),
];
