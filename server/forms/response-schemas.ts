import Type from 'typebox';
import { Paginated, pageQuery } from '../http/schemas/pagination.ts';
import { Success } from '../http/schemas/success.ts';
import { PUBLIC_KEYS } from './present-form.ts';
import { FORM_SORTS } from './queries.ts';
import { FIELDS_WITHOUT_DEFAULTS } from './schemas.ts';

const Moment = Type.String({ description: 'ISO 8601, UTC' });
const Count = Type.Integer({ minimum: 0 });
const OpenObject = Type.Object({}, { additionalProperties: true });

/** A field or another block, with the options of its type. */
const Block = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    name: Type.String(),
    hidden: Type.Optional(Type.Boolean()),
    required: Type.Optional(Type.Boolean()),
    width: Type.String(),
  },
  { additionalProperties: true },
);

/** Members that follow from the settings of a form and the present moment. */
const STATE = {
  share_url: Type.String(),
  is_closed: Type.Boolean(),
  max_number_of_submissions_reached: Type.Boolean(),
  has_password: Type.Boolean(),
  is_password_protected: Type.Boolean(),
};

const FORM_MEMBERS = {
  id: Type.Integer(),
  uuid: Type.String(),
  workspace_id: Type.Integer(),
  creator_id: Type.Unsafe({ type: ['integer', 'null'] }),
  ...FIELDS_WITHOUT_DEFAULTS,
  slug: Type.String(),
  properties: Type.Array(Block),
  removed_properties: Type.Array(Block),
  version: Type.Integer(),
  has_unpublished_changes: Type.Boolean({ description: 'Whether there is a draft.' }),
  ...STATE,
  submissions_count: Count,
  views_count: Count,
  max_file_size: Type.Number({ description: 'Megabytes.' }),
  last_edited_human: Type.String(),
  cleanings: OpenObject,
  workspace: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    icon: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    settings: OpenObject,
    max_file_size: Type.Number({ description: 'Megabytes.' }),
    is_readonly: Type.Boolean(),
  }),
  created_at: Moment,
  updated_at: Moment,
  trash_ends_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'When a form in the trash will be deleted; null for all others.',
  }),
};

/** All members that the interface gives a form. */
export const FORM_MEMBER_NAMES: ReadonlySet<string> = new Set(Object.keys(FORM_MEMBERS));

/** A form as its members read it. `password` is left out for readonly members. */
export const FormObject = Type.Unsafe<object>({
  type: 'object',
  required: Object.keys(FORM_MEMBERS).filter((key) => key !== 'password'),
  properties: FORM_MEMBERS,
  additionalProperties: true,
});

/** The answer to changes of a form. */
export const FormAnswer = Type.Object(
  { ...Success.properties, form: FormObject },
  { additionalProperties: true },
);

const { closes_at, max_submissions_count, visibility, ...fields } = FIELDS_WITHOUT_DEFAULTS;

/** A form as anybody reads it. While it is locked, it has only what is needed to ask for its password. */
export const PublicFormObject = Type.Unsafe<object>({
  type: 'object',
  required: ['uuid', 'slug', 'title', 'visibility', 'properties', ...Object.keys(STATE)],
  properties: {
    uuid: Type.String(),
    slug: Type.String(),
    title: Type.String(),
    visibility,
    closes_at,
    max_submissions_count,
    ...Object.fromEntries(PUBLIC_KEYS.map((key) => [key, fields[key]])),
    properties: Type.Array(Block),
    ...STATE,
    max_file_size: Type.Number({ description: 'Megabytes.' }),
    workspace: Type.Object({ max_file_size: Type.Number(), settings: OpenObject }),
    created_at: Moment,
    updated_at: Moment,
  },
  additionalProperties: true,
});

const FormSummary = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  title: Type.String(),
  visibility: Type.String(),
  tags: Type.Array(Type.String()),
  views_count: Count,
  submissions_count: Count,
  partial_count: Count,
  last_submission_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  created_at: Moment,
  updated_at: Moment,
  last_edited_human: Type.String(),
  opens_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  closes_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  is_closed: Type.Boolean(),
  max_submissions_count: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  max_number_of_submissions_reached: Type.Boolean(),
  workspace_id: Type.Integer(),
  trash_ends_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  share_url: Type.String(),
});

export const TagList = Type.Array(Type.Object({ tag: Type.String(), forms_count: Type.Integer() }));

export const FormList = Paginated(FormSummary);

/** PostgreSQL cannot hold U+0000 in a text. */
const STORABLE = '^[^\\u0000]*$';

export const FormListQuery = Type.Object({
  ...pageQuery(10),
  search: Type.Optional(
    Type.String({ pattern: STORABLE, description: 'Part of the title; letter case is ignored.' }),
  ),
  tag: Type.Optional(Type.String({ pattern: STORABLE })),
  visibility: Type.Optional(Type.Unsafe<string>({ enum: ['public', 'draft', 'closed'] })),
  status: Type.Optional(
    Type.Enum(['open', 'closed', 'draft', 'trash'], {
      description:
        'Status at this moment: `opens_at` and `closes_at` count too. Forms in the trash are listed with `trash` alone.',
    }),
  ),
  sort: Type.Optional(Type.Enum([...FORM_SORTS], { description: '`updated_at` when absent.' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: '`desc` when absent.' })),
});
