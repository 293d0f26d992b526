import Type from 'typebox';
import { FormParams } from '../access/form-params.ts';
import { EMAIL_MAX_LENGTH } from '../accounts/email.ts';
import { Nullable } from '../http/nullable.ts';
import { Success } from '../http/success.ts';
import { RECIPIENT_MAILS, RECIPIENT_STATUSES, type RecipientStatus } from './queries.ts';

/** Recipients of one form. */
export const MAX_RECIPIENTS = 100_000;
/** Recipients that one call adds, names or lists. */
const MAX_PER_CALL = 1_000;
const DEFAULT_LIMIT = 50;
const MAX_NAME = 255;
/** Characters of what a recipient's form is filled in with, as JSON. */
export const MAX_PREFILL = 20_000;
const MAX_SUBJECT = 255;
const MAX_TEXT = 10_000;

const tags = ['Recipients'];
const Moment = Nullable(Type.String({ format: 'date-time' }));

const Prefill = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description:
    'What the form is filled in with at first: by field id what the address would say, one text or several. Not used by an anonymous form.',
});
const MailText = Type.Object({
  subject: Type.String({ minLength: 1, maxLength: MAX_SUBJECT }),
  text: Type.String({
    minLength: 1,
    maxLength: MAX_TEXT,
    description:
      'Plain text. `{name}` stands for the name, or the address of whoever has none, `{link}` for the personal link, which follows the text that does not name it.',
  }),
});
const Status = Type.Enum(RECIPIENT_STATUSES, {
  description:
    '`new`; `queued`, `failed`, `mailed` of the last mail; `opened`; `started`: a partial submission was saved; `answered`; ' +
    '`declined`: wants no mails. `opened` and `started` are not kept of an anonymous form; programs that look at the links of mails open them, too.',
});

const RecipientSchema = Type.Object({
  id: Type.Integer(),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  prefill: Nullable(Prefill),
  link: Type.String({ description: 'Whoever has it answers as this recipient.' }),
  status: Status,
  mails_sent: Type.Integer(),
  mailed_at: Moment,
  mail_problem: Nullable(Type.String({ description: 'Why the last mail did not go out.' })),
  opened_at: Moment,
  answered_at: Nullable(
    Type.String({ format: 'date-time', description: 'Of an anonymous form the day alone, at midnight UTC.' }),
  ),
  declined_at: Moment,
  created_at: Type.String({ format: 'date-time' }),
  submission_id: Nullable(
    Type.Integer({
      description: 'The complete submission, while there is one. Never told of an anonymous form.',
    }),
  ),
});

const Ids = Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MAX_PER_CALL });

const LinkSettingsSchema = Type.Object({
  required: Type.Boolean({ description: 'Nobody answers without a personal link.' }),
  anonymous: Type.Boolean({
    description: 'Kept is who has answered, and on which day; nowhere, which answers are whose.',
  }),
  invitation: Nullable(MailText),
  reminder: Nullable(MailText),
  mail_is_set_up: Type.Boolean({
    description: 'Without it no mails are sent; links can be handed out in any other way.',
  }),
  counts: Type.Object(
    Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, Type.Integer()])) as Record<
      RecipientStatus,
      Type.TInteger
    >,
    { description: 'How many recipients are in which `status`.' },
  ),
});

export const readLinksSchema = {
  tags,
  summary: 'Read how a form treats personal links',
  params: FormParams,
  response: { 200: LinkSettingsSchema },
};

export const saveLinksSchema = {
  tags,
  summary: 'Change how a form treats personal links',
  description:
    'Holds at once. `anonymous` forgets which recipient sent which submission, for good; what is switched off later does not bring it back.',
  params: FormParams,
  body: Type.Object({
    required: Type.Optional(Type.Boolean()),
    anonymous: Type.Optional(Type.Boolean()),
  }),
  response: { 200: LinkSettingsSchema },
};

export const listRecipientsSchema = {
  tags,
  summary: 'List the recipients of a form',
  description: 'By their numbers; `next_after` is the `after` of the next page, null on the last.',
  params: FormParams,
  querystring: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    limit: Type.Integer({ default: DEFAULT_LIMIT, minimum: 1, maximum: MAX_PER_CALL }),
    status: Type.Optional(Status),
    search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name or address.' })),
    submission_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Whose submission it is.' })),
  }),
  response: {
    200: Type.Object({
      data: Type.Array(RecipientSchema),
      meta: Type.Object({ next_after: Nullable(Type.Integer()) }),
    }),
  },
};

export const addRecipientsSchema = {
  tags,
  summary: 'Add recipients',
  description: `Each gets a link of their own. An address that is on the list already keeps its link, and takes on the name and prefill that come with it, so a call can be repeated; of an address that a call has twice the last name and the last prefill count. A form has at most ${MAX_RECIPIENTS.toLocaleString('en')} recipients.`,
  params: FormParams,
  body: Type.Object({
    recipients: Type.Array(
      Type.Object({
        name: Type.Optional(Nullable(Type.String({ maxLength: MAX_NAME }))),
        email: Type.Optional(Nullable(Type.String({ maxLength: EMAIL_MAX_LENGTH }))),
        prefill: Type.Optional(Nullable(Prefill)),
      }),
      { minItems: 1, maxItems: MAX_PER_CALL },
    ),
  }),
  response: {
    200: Type.Object({
      ...Success.properties,
      added: Type.Integer(),
      already_there: Type.Integer(),
      recipients: Type.Array(
        Type.Object({
          index: Type.Integer({ description: 'Place in the call, from 0.' }),
          id: Type.Integer(),
          link: Type.String(),
          is_new: Type.Boolean(),
        }),
      ),
    }),
  },
};

export const deleteRecipientsSchema = {
  tags,
  summary: 'Delete recipients',
  description: 'Their links lead nowhere from then on. What they have answered stays.',
  params: FormParams,
  body: Type.Object({ ids: Ids }),
  response: { 200: Type.Object({ ...Success.properties, deleted: Type.Integer() }) },
};

export const reopenRecipientsSchema = {
  tags,
  summary: 'Let recipients answer once more',
  description: 'What they have answered stays, as a submission of its own.',
  params: FormParams,
  body: Type.Object({ ids: Ids }),
  response: { 200: Type.Object({ ...Success.properties, reopened: Type.Integer() }) },
};

export const sendMailsSchema = {
  tags,
  summary: 'Send mails to recipients',
  description:
    'An invitation goes to everybody to whom none was sent yet, a reminder to everybody to whom one was; with `ids` to these. Never to who has answered, wants no mails or has no address. The mails go out in the background, each once; those in line already say what the text is then.',
  params: FormParams,
  body: Type.Object({
    kind: Type.Enum(RECIPIENT_MAILS),
    ...MailText.properties,
    ids: Type.Optional(Ids),
  }),
  response: { 200: Type.Object({ ...Success.properties, queued: Type.Integer() }) },
};

export const cancelMailsSchema = {
  tags,
  summary: 'Cancel the mails that have not gone out',
  params: FormParams,
  response: { 200: Type.Object({ ...Success.properties, cancelled: Type.Integer() }) },
};
