import Type from 'typebox';
import { FormParams } from '../access/path-params.ts';
import { EMAIL_MAX_LENGTH } from '../accounts/email.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { Success } from '../http/schemas/success.ts';
import { RECIPIENT_MAILS, RECIPIENT_STATUSES, type RecipientStatus } from './queries.ts';

/** Recipients of one form. */
export const MAX_RECIPIENTS = 100_000;
/** Recipients that one call adds, names or lists. */
const MAX_PER_CALL = 1_000;
/** Addresses that one call corrects. */
const MAX_CORRECTIONS = 100;
const DEFAULT_LIMIT = 50;
const MAX_NAME = 255;
/** Characters of a recipient's prefill, as JSON. */
export const MAX_PREFILL = 20_000;
const MAX_SUBJECT = 255;
const MAX_TEXT = 10_000;

const tags = ['Recipients'];
const Moment = Nullable(Type.String({ format: 'date-time' }));

const Prefill = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description:
    'Initial values of the form by field id, one text or several, as in its address. Anonymous forms do not use it.',
});
const MailText = Type.Object({
  subject: Type.String({ minLength: 1, maxLength: MAX_SUBJECT }),
  text: Type.String({
    minLength: 1,
    maxLength: MAX_TEXT,
    description:
      'Plain text. `{name}` stands for the name, or else the address; `{link}` for the personal link, which is appended to a text without it.',
  }),
  reply_to: Type.Optional(
    Nullable(
      Type.String({
        maxLength: EMAIL_MAX_LENGTH,
        description: 'Address for replies; without one they go to `MAIL_FROM`.',
      }),
    ),
  ),
});
const Status = Type.Enum(RECIPIENT_STATUSES, {
  description:
    '`new`; `queued`, `failed` or `mailed`: state of the last mail; `opened`; `started`: a partial submission was ' +
    'saved; `answered`; `declined`: wants no mails. Anonymous forms keep neither `opened` nor `started`. Programs ' +
    'that check the links in mails count as `opened`, too.',
});

const RecipientSchema = Type.Object({
  id: Type.Integer(),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  prefill: Nullable(Prefill),
  link: Type.String({ description: 'Personal link: whoever has it answers as this recipient.' }),
  status: Status,
  mails_sent: Type.Integer(),
  mailed_at: Moment,
  mail_problem: Nullable(Type.String({ description: 'Why the last mail was not sent.' })),
  opened_at: Moment,
  answered_at: Nullable(
    Type.String({ format: 'date-time', description: 'For an anonymous form only the day, at midnight UTC.' }),
  ),
  declined_at: Moment,
  created_at: Type.String({ format: 'date-time' }),
  submission_id: Nullable(
    Type.Integer({
      description: 'The complete submission, while it exists. Null for an anonymous form.',
    }),
  ),
});

const Ids = Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: MAX_PER_CALL });

const LinkSettingsSchema = Type.Object({
  required: Type.Boolean({ description: 'Only people with a personal link can answer.' }),
  anonymous: Type.Boolean({
    description: 'The service keeps who has answered and on which day, but not which answers are whose.',
  }),
  invitation: Nullable(MailText),
  reminder: Nullable(MailText),
  mail_is_set_up: Type.Boolean({
    description: 'Whether mails can be sent; without, links can be handed out in any other way.',
  }),
  counts: Type.Object(
    Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, Type.Integer()])) as Record<
      RecipientStatus,
      Type.TInteger
    >,
    { description: 'Number of recipients by `status`.' },
  ),
  mails: Type.Object(
    { invitation: Type.Integer(), reminder: Type.Integer() },
    { description: 'How many mails a call that names no recipients would queue now.' },
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
    'Takes effect at once. `anonymous` forgets for good which recipient sent which submission; switching it off later does not bring that back.',
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
  description: 'Ordered by number. `next_after` is the `after` of the next page, null on the last.',
  params: FormParams,
  querystring: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    limit: Type.Integer({ default: DEFAULT_LIMIT, minimum: 1, maximum: MAX_PER_CALL }),
    status: Type.Optional(Status),
    search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of a name or address.' })),
    submission_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Only the recipient who sent this submission.' }),
    ),
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
  description: `Each recipient gets a link of their own. An address that is on the list already keeps its link and takes the name and prefill of the call, so a call can be repeated. When a call has an address twice, its last name and last prefill count. A form has at most ${MAX_RECIPIENTS.toLocaleString('en')} recipients.`,
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
          index: Type.Integer({ description: 'Position in the call, from 0.' }),
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
  description: 'Their links stop working. Their answers stay.',
  params: FormParams,
  body: Type.Object({ ids: Ids }),
  response: { 200: Type.Object({ ...Success.properties, deleted: Type.Integer() }) },
};

export const reopenRecipientsSchema = {
  tags,
  summary: 'Let recipients answer once more',
  description: 'Their earlier answers stay, as a submission of their own.',
  params: FormParams,
  body: Type.Object({ ids: Ids }),
  response: { 200: Type.Object({ ...Success.properties, reopened: Type.Integer() }) },
};

export const correctRecipientsSchema = {
  tags,
  summary: 'Correct addresses of recipients',
  description:
    'If the link was mailed to the former address, it stops working: the recipient gets a new link, and the invitation again while the form takes answers. What was opened, begun or declined by the former link no longer counts. Otherwise the link stays. A recipient who has answered is refused.',
  params: FormParams,
  body: Type.Object({
    recipients: Type.Array(
      Type.Object({
        id: Type.Integer({ minimum: 1 }),
        email: Type.String({ minLength: 1, maxLength: EMAIL_MAX_LENGTH }),
      }),
      { minItems: 1, maxItems: MAX_CORRECTIONS },
    ),
  }),
  response: {
    200: Type.Object({
      ...Success.properties,
      corrected: Type.Integer(),
      new_links: Type.Integer({ description: 'Recipients whose former link no longer works.' }),
      queued: Type.Integer({ description: 'Mails queued to the new addresses.' }),
    }),
  },
};

export const sendMailsSchema = {
  tags,
  summary: 'Send mails to recipients',
  description:
    'Invitations go to everybody who has not been sent one, reminders to everybody who has; with `ids` only to these. People who have answered, want no mails or have no address get none. Mails are sent in the background, each once; queued ones take the text of the moment they are sent.',
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
