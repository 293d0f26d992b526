import Type, { type TSchema, type TSchemaOptions } from 'typebox';
import { FormParam } from '../access/path-params.ts';
import { CHAT_FORMATS } from '../chat/chat-settings.ts';
import { Success } from '../http/schemas/success.ts';
import { MAIL_KINDS } from '../mail/mail-kinds.ts';
import { MASK } from './integration-data.ts';

/** The generic webhook, automation platforms whose connectors subscribe to a form, and mails. */
const INTEGRATION_IDS = [
  'webhook',
  'make',
  'n8n',
  'activepieces',
  'pabbly',
  'albato',
  'zapier',
  ...MAIL_KINDS,
];

export const MIN_SECRET_LENGTH = 12;
export const MAX_SECRET_LENGTH = 1024;

export const MAX_MAIL_RECIPIENTS = 20;
/** Characters, including the markup of mentions. */
export const MAX_MAIL_SUBJECT = 1_000;
export const MAX_MAIL_TEXT = 10_000;
export const MAX_MAIL_FIELDS = 500;
export const MAX_CHAT_MESSAGE = 1_000;

const Status = Type.Enum(['active', 'inactive'], {
  description: 'Only active integrations are sent submissions.',
});

const Logic = Type.Union(
  [Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown()), Type.Null()],
  {
    description:
      'Group of conditions on the answers: {operatorIdentifier, children}. Null or empty always holds.',
  },
);

export const IntegrationParams = Type.Object({ form: FormParam, integrationId: Type.String() });

function optionalMember<Member extends TSchema>(member: Member, options: TSchemaOptions) {
  return Type.Optional(Type.Union([member, Type.Null()], options));
}

/** Checked by `checkIntegration`, which knows masks and stored values; this is only the documentation. */
const Data = Type.Object(
  {
    webhook_url: Type.Optional(
      Type.String({
        description: 'http or https; at most 2048 characters. Required except for mails.',
        examples: ['https://example.com/hook'],
      }),
    ),
    webhook_secret: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: `${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters; signs every delivery. ${MASK} keeps the stored secret, null removes it.`,
        examples: ['at least 12 characters'],
      }),
    ),
    webhook_headers: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
        description: `Headers sent with every delivery, at most 20. ${MASK} keeps a stored value, unless \`webhook_url\` leads to another server; null removes all headers.`,
        examples: [{ 'X-Source': 'formstead' }],
      }),
    ),
    provider_url: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Address of the scenario on its platform.',
      }),
    ),
    sends_edits: optionalMember(Type.Boolean(), {
      description:
        'Except for mails: whether a complete submission is sent again when its answers change, with `event` and `updated_at`; false when absent.',
    }),
    format: optionalMember(Type.String(), {
      description: `\`webhook\`: the chat to send messages to, ${CHAT_FORMATS.map((format) => `\`${format}\``).join(', ')}; \`json\` or null for the JSON of this service.`,
      examples: ['slack'],
    }),
    message: optionalMember(Type.String(), {
      description: `Chat messages: one line of plain text above the answers; mentions are filled in. At most ${MAX_CHAT_MESSAGE} characters. When absent, a line about the new response.`,
    }),
    recipients: optionalMember(Type.Array(Type.String()), {
      description: `\`email\`: 1 to ${MAX_MAIL_RECIPIENTS} addresses.`,
      examples: [['team@example.com']],
    }),
    recipient_field: optionalMember(Type.String(), {
      description: '`email_confirmation`: id of the e-mail field with the address to write to.',
    }),
    subject: optionalMember(Type.String(), {
      description: `Mails: one line; mentions are filled in. At most ${MAX_MAIL_SUBJECT} characters. The title of the form when absent.`,
    }),
    text: optionalMember(Type.String(), {
      description: `\`email_confirmation\`: HTML; mentions are filled in. At most ${MAX_MAIL_TEXT} characters.`,
    }),
    reply_to_field: optionalMember(Type.String(), {
      description: '`email`: id of the e-mail field whose answer becomes Reply-To.',
    }),
    reply_to: optionalMember(Type.String(), {
      description: '`email_confirmation`: address for replies.',
    }),
    fields: optionalMember(Type.Array(Type.String()), {
      description:
        'Mails: ids of the fields to show; an empty list shows none. When absent, all are shown; in `email_confirmation` all that the page showed, so a hidden field has to be named.',
    }),
    include_answers: optionalMember(Type.Boolean(), {
      description:
        'Whether to show the answers. When absent: false for `email_confirmation`, true for chat messages.',
    }),
    edit_link: optionalMember(Type.Boolean(), {
      description:
        '`email_confirmation`: whether to include the link that changes the answers, where the form has `editable_submissions`; false when absent.',
    }),
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
    status: Type.String({ description: '`active` or `inactive`.' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: `As it was set. The secret and header values read ${MASK}, except in the response to the call that sets them.`,
    }),
    logic: Type.Unknown({ description: 'Group of conditions, or null.' }),
    inactive_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the service itself made the integration inactive; null otherwise.',
    }),
    notice: Type.Union([Type.String(), Type.Null()], {
      description: 'Why deliveries are waiting, in words for the owner; null otherwise.',
    }),
    failing_since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'First failure since the last delivery that succeeded; null when nothing fails.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: true },
);

export const IntegrationAnswer = Type.Object({ ...Success.properties, form_integration: Integration });
