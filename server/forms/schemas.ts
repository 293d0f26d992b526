import Type, { type Static, type TSchema } from 'typebox';
import { PICTURE_PATH } from '../../fields/block-options/picture-path.ts';
import { CAPTCHA_PROVIDERS } from '../../fields/captcha-tokens.ts';
import { MAX_PROPERTIES } from '../../fields/check-properties.ts';
import type { Ending } from '../../fields/logic/endings.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { DOMAIN } from './address/form-domains.ts';
import { TITLE_LENGTH } from './title.ts';

/** Tags of a form. */
const MAX_TAGS = 100;
/** Endings of a form. */
const MAX_ENDINGS = 50;
/** Lengths in characters. */
const SLUG = 255;
const BUTTON = 50;
const SHORT = 255;
const ADDRESS = 2_048;
const HTML = 10_000;
const CODE = 200_000;

export const FORM_LANGUAGES = [
  ...[
    'ar',
    'bn',
    'ca',
    'cs',
    'de',
    'en',
    'es',
    'eu',
    'fr',
    'gl',
    'hi',
    'hu',
    'it',
    'ja',
    'jv',
    'ko',
    'mr',
    'nl',
  ],
  ...['pa', 'pl', 'pt', 'ru', 'sk', 'sr', 'sv', 'ta', 'te', 'tr', 'uk', 'ur', 'vi', 'zh'],
];

/** A web address, or the path of a picture that this service keeps; see server/pictures. */
const PICTURE_URL = `^([Hh][Tt][Tt][Pp][Ss]?://\\S+|${PICTURE_PATH})$`;
/** CSS that cannot end the `<style>` element it is put into. */
const STYLE_TEXT = '^(?![\\s\\S]*<[/!])';

const text = (maxLength: number) => orNull({ type: 'string', maxLength });
const matching = (pattern: string, maxLength: number) => orNull({ type: 'string', pattern, maxLength });
const flag = (byDefault: boolean) => Type.Boolean({ default: byDefault });

function orNull(schema: { type: 'string'; maxLength: number; pattern?: string }) {
  return Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'], default: null });
}

function wholeNumberOrNull(minimum: number, maximum: number) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum, default: null });
}

function oneOf<const Values extends readonly string[]>(values: Values, byDefault: Values[number]) {
  return Type.Unsafe<Values[number]>({ enum: values, default: byDefault });
}

/** An object that may have other members, which are kept as they were sent. */
function openObject(members: Record<string, TSchema> = {}, description?: string) {
  return Type.Unsafe<{ [key: string]: unknown }>(
    Type.Object(optional(members), {
      default: {},
      additionalProperties: true,
      ...(description !== undefined && { description }),
    }),
  );
}

function optional(members: Record<string, TSchema>) {
  return Object.fromEntries(Object.entries(members).map(([key, schema]) => [key, Type.Optional(schema)]));
}

const percent = { type: 'number', minimum: 0, maximum: 100 };

/** Members of the `presentation` column, which say how a form looks and behaves, with their defaults. */
const PRESENTATION_FIELDS = {
  description: text(2_000),
  language: oneOf(FORM_LANGUAGES, 'en'),
  custom_domain: matching(DOMAIN, SHORT),

  theme: oneOf(['default', 'simple', 'notion', 'minimal', 'transparent'], 'default'),
  presentation_style: oneOf(['classic', 'focused'], 'classic'),
  width: oneOf(['centered', 'full'], 'centered'),
  size: oneOf(['sm', 'md', 'lg'], 'md'),
  border_radius: oneOf(['none', 'small', 'full'], 'small'),
  dark_mode: oneOf(['auto', 'light', 'dark'], 'auto'),
  font_family: text(SHORT),
  color: Type.String({ minLength: 1, maxLength: SHORT, default: '#3B82F6' }),
  layout_rtl: flag(false),
  uppercase_labels: flag(false),
  no_branding: flag(false),
  transparent_background: flag(false),
  logo_picture: matching(PICTURE_URL, ADDRESS),
  cover_picture: matching(PICTURE_URL, ADDRESS),
  cover_settings: openObject({
    // Has no default, so that an empty object stays empty.
    focal_point: Type.Object(optional({ x: Type.Unsafe<number>(percent), y: Type.Unsafe<number>(percent) })),
    brightness: Type.Integer({ minimum: -100, maximum: 100 }),
  }),
  custom_css: matching(STYLE_TEXT, CODE),
  custom_code: text(CODE),
  settings: openObject({
    navigation_arrows: Type.Boolean(),
    auto_next: Type.Boolean(),
    works_offline: Type.Boolean(),
    forget_changes: Type.Boolean(),
    sets_spam_aside: Type.Boolean({ description: 'docs/open-choices.md#suspected-spam' }),
    gives_receipts: Type.Boolean({ description: 'docs/public-page.md#receipts' }),
    confirms_email: Nullable(
      Type.String({
        maxLength: 64,
        description:
          'Id of the e-mail field whose address its sender has to confirm before the submission counts: docs/open-choices.md#confirmed-addresses.',
      }),
    ),
    public_results: Nullable(
      Type.Object(
        {
          fields: Type.Array(Type.String(), { maxItems: MAX_PROPERTIES }),
          step: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
        },
        { description: 'What anybody may see of the answers: docs/public-page.md#results-for-everybody.' },
      ),
    ),
  }),
  translations: openObject({}, 'Texts in other languages, by two-letter code: docs/languages.md.'),

  submit_button_text: text(BUTTON),
  submitted_text: Type.String({ maxLength: HTML, default: 'Thank you! Your answers have been saved.' }),
  redirect_url: text(ADDRESS),
  endings: Type.Unsafe<Ending[]>(
    Type.Array(
      Type.Object({
        id: Type.Optional(Type.String({ pattern: '^[!-~]{1,64}$', description: 'Made when absent.' })),
        name: Type.String({ minLength: 1, maxLength: 100 }),
        conditions: Type.Object({}, { additionalProperties: true }),
        submitted_text: Type.Optional(text(HTML)),
        redirect_url: Type.Optional(text(ADDRESS)),
      }),
      {
        maxItems: MAX_ENDINGS,
        default: [],
        description:
          'The first whose conditions hold replaces `submitted_text` and `redirect_url`: docs/open-choices.md#endings.',
      },
    ),
  ),
  re_fillable: flag(false),
  re_fill_button_text: text(BUTTON),
  confetti_on_submission: flag(false),
  pdf_download_enabled: flag(false),
  pdf_download_button_text: text(BUTTON),
  show_progress_bar: flag(false),
  auto_save: flag(true),
  auto_focus: flag(true),

  opens_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The form is closed until then. ISO 8601; without an offset it is UTC.',
    default: null,
  }),
  closed_text: text(HTML),
  max_submissions_reached_text: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: HTML,
    default: 'This form has received all the submissions it was made for and is closed now.',
  }),
  editable_submissions: flag(false),
  editable_submissions_button_text: Type.String({
    minLength: 1,
    maxLength: BUTTON,
    default: 'Edit submission',
  }),
  enable_partial_submissions: flag(false),
  enable_ip_tracking: flag(false),
  /** Ids of fields. Stored only for clients that send it; it never makes a submission overwrite another. */
  database_fields_update: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', maxLength: SHORT },
    maxItems: MAX_PROPERTIES,
    default: null,
  }),
  computed_variables: Type.Array(
    Type.Object({
      id: Type.String({ pattern: '^cv_', maxLength: SHORT }),
      name: Type.String({ minLength: 1, maxLength: 100 }),
      formula: Type.String({ minLength: 1, maxLength: 2_000 }),
      result_type: Type.Optional(Type.Unsafe<string>({ enum: ['number', 'text', 'auto'] })),
    }),
    { maxItems: MAX_PROPERTIES, default: [] },
  ),

  use_captcha: flag(false),
  captcha_provider: oneOf(CAPTCHA_PROVIDERS, 'recaptcha'),
  can_be_indexed: flag(true),
  seo_meta: openObject(),
  analytics: openObject({
    provider: Type.Unsafe<string | null>({ enum: ['meta_pixel', 'google_analytics', 'gtm', null] }),
    tracking_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 50,
      pattern: '^[A-Za-z0-9_.-]*$',
      description: 'Required with a provider.',
    }),
  }),
};

/** Members that have columns of their own. */
const COLUMN_FIELDS = {
  title: Type.String({ minLength: 1, maxLength: TITLE_LENGTH }),
  slug: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: SLUG,
    description: 'Lowercase letters, digits and single hyphens. Made from the title when absent.',
  }),
  visibility: oneOf(['public', 'draft', 'closed'], 'public'),
  tags: Type.Array(Type.String({ minLength: 1, maxLength: SHORT }), { maxItems: MAX_TAGS, default: [] }),
  closes_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'ISO 8601; without an offset it is UTC.',
    default: null,
  }),
  max_submissions_count: wholeNumberOrNull(1, Number.MAX_SAFE_INTEGER),
  // Has no default, so that a unit sent alone is told from one beside `null`.
  submission_retention_value: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 3_650,
  }),
  submission_retention_unit: Type.Unsafe<'day' | 'week' | 'month' | 'year' | null>({
    enum: ['day', 'week', 'month', 'year', null],
    description: '`day` when only the value is given. Without a value it means nothing.',
    default: null,
  }),
  password: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: SHORT,
    description: 'Stored as a hash and answered as `********`; sent back, this means unchanged.',
    default: null,
  }),
  properties: Type.Unsafe<unknown[]>({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    maxItems: MAX_PROPERTIES,
    default: [],
    description:
      'The blocks in order. `retention_days` of a field, 1 to 3,650: so many days after the last change of a submission its answer is removed and the rest stays; null: never.',
  }),
};

/** Everything that clients may set; other members are ignored. */
export const FORM_FIELDS = { ...COLUMN_FIELDS, ...PRESENTATION_FIELDS };

type Values<Fields extends Record<string, TSchema>> = { [Key in keyof Fields]: Static<Fields[Key]> };

export type Presentation = Values<typeof PRESENTATION_FIELDS>;
type FormValues = Values<typeof FORM_FIELDS>;
/** A checked and normalised request body. */
export type FormInput = Partial<FormValues>;

export const PRESENTATION_DEFAULTS = Object.fromEntries(
  Object.entries<TSchema & { default?: unknown }>(PRESENTATION_FIELDS).map(([key, schema]) => [
    key,
    schema.default,
  ]),
) as Presentation;

/** For updates, which keep members that they do not name, and answers. Defaults only apply when a form is created. */
export const FIELDS_WITHOUT_DEFAULTS: Record<string, TSchema> = Object.fromEntries(
  Object.entries<TSchema & { default?: unknown }>(FORM_FIELDS).map(([key, { default: _, ...schema }]) => [
    key,
    schema,
  ]),
);

export const PRESENTATION_KEYS = Object.keys(PRESENTATION_FIELDS) as (keyof Presentation)[];

export const CreateFormBody = Type.Unsafe<FormInput & { workspace_id: number; title: string }>({
  type: 'object',
  required: ['workspace_id', 'title'],
  properties: { workspace_id: Type.Integer({ minimum: 1 }), ...FORM_FIELDS },
});

export const UpdateFormBody = Type.Unsafe<FormInput>({
  type: 'object',
  properties: FIELDS_WITHOUT_DEFAULTS,
});
