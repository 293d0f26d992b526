import Type from 'typebox';
import { Success } from '../http/success.ts';
import { MASK } from './integration-data.ts';

/** The generic webhook, and the automation platforms whose connectors hook themselves into a form. */
const INTEGRATION_IDS = ['webhook', 'make', 'n8n', 'activepieces', 'pabbly', 'albato', 'zapier'];

export const MIN_SECRET_LENGTH = 12;
export const MAX_SECRET_LENGTH = 1024;

const Status = Type.Enum(['active', 'inactive'], {
  description: 'Only an active integration is sent submissions.',
});

const Logic = Type.Union(
  [Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown()), Type.Null()],
  {
    description:
      'Group of conditions on the answers: {operatorIdentifier, children}. Null or empty fires always.',
  },
);

export const IntegrationParams = Type.Object({ form: Type.String(), integrationId: Type.String() });

/** Judged by `checkIntegration`, which knows masks and what is stored; described here for the documentation. */
const Data = Type.Object(
  {
    webhook_url: Type.Optional(
      Type.String({
        description: 'http or https; at most 2048 characters.',
        examples: ['https://example.com/hook'],
      }),
    ),
    webhook_secret: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: `${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters; signs every delivery. ${MASK} keeps the stored one, null removes it.`,
        examples: ['at least 12 characters'],
      }),
    ),
    webhook_headers: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
        description: `Headers sent with every delivery, at most 20. ${MASK} keeps a stored value, null removes them all.`,
        examples: [{ 'X-Source': 'formstead' }],
      }),
    ),
    provider_url: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Where to find the scenario at the platform.',
      }),
    ),
  },
  { additionalProperties: true },
);

export const IntegrationBody = Type.Object(
  {
    integration_id: Type.Enum(INTEGRATION_IDS),
    status: Type.Optional(Status),
    data: Data,
    logic: Type.Optional(Logic),
  },
  { additionalProperties: true },
);

export const Integration = Type.Object(
  {
    id: Type.Integer(),
    form_id: Type.Integer(),
    integration_id: Type.String(),
    status: Type.String({ description: 'active or inactive' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: `As it was set; the secret and header values read ${MASK} except in the answer to the call that sets them.`,
    }),
    logic: Type.Unknown({ description: 'Group of conditions, or null.' }),
    inactive_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the service itself stopped delivering; null otherwise.',
    }),
    failing_since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'The first failure since something was delivered last; null when nothing fails.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: true },
);

export const IntegrationAnswer = Type.Object({ ...Success.properties, form_integration: Integration });
