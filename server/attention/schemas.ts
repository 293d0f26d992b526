import Type, { type Static } from 'typebox';
import { WorkspaceParams } from '../access/path-params.ts';
import { CLOSING_DAYS, MAX_COUNTED, MAX_ROWS } from './limits.ts';

/** What needs attention, the most pressing first. */
export const KINDS = [
  'integration_stopped',
  'deliveries_failed',
  'integration_failing',
  'paid_not_taken',
  'payments_disconnected',
  'form_full',
  'form_closing',
  'set_aside',
  'to_review',
] as const;

const Moment = Type.String({ format: 'date-time' });
const EXACT = `Exact up to ${MAX_COUNTED.toLocaleString('en')}; there may be more.`;

const Item = Type.Object(
  {
    kind: Type.Enum([...KINDS], {
      description:
        '`integration_stopped`: the service made an integration inactive. `deliveries_failed`: deliveries were given up. ' +
        '`integration_failing`: the latest attempts failed, and are repeated. `paid_not_taken`: submissions are paid, but the form could not take them in. ' +
        '`payments_disconnected`: an open form asks for money, but the workspace has no account to take it. `form_full`: an open form has reached its maximum. ' +
        `\`form_closing\`: it closes by itself within ${CLOSING_DAYS} days. \`set_aside\`: suspected spam waits. ` +
        '`to_review`: submissions of a form with reviews that nobody has decided about.',
    }),
    form: Type.Object({ id: Type.Integer(), title: Type.String() }),
    integration: Type.Optional(Type.Object({ id: Type.Integer(), integration_id: Type.String() })),
    count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Submissions; for integrations deliveries that were given up. ${EXACT} Submissions to review are always exact.`,
      }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why an integration was made inactive.' })),
    since: Type.Optional(Moment),
    closes_at: Type.Optional(Moment),
  },
  { title: 'AttentionItem' },
);
export type AttentionItem = Static<typeof Item>;

export const attentionSchema = {
  tags: ['Workspaces'],
  summary: 'List what needs attention in a workspace',
  description:
    'What stops answers on their way, then what stops people from answering, then answers that wait for somebody. ' +
    'Integrations are left out for callers who may not see them: that takes the ability `manage-integrations` and the role `user`. ' +
    `At most ${MAX_ROWS} integrations and ${MAX_ROWS} forms.`,
  params: WorkspaceParams,
  response: { 200: Type.Object({ data: Type.Array(Item) }) },
};
