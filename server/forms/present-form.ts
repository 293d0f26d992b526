import { isOn } from '../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { isJsonObject, type JsonObject, type Property } from '../../fields/property.ts';
import { isAtLeast, type MemberRole } from '../access/abilities.ts';
import type { Context } from '../context.ts';
import { trashEnd } from '../trash-time.ts';
import { type AddressedForm, formAddress } from './address/form-address.ts';
import { PASSWORD_MASK } from './form-password.ts';
import { isClosedAt } from './open-times.ts';
import type { FormRow, FormSummaryRow } from './queries.ts';
import { PRESENTATION_DEFAULTS, PRESENTATION_KEYS, type Presentation } from './schemas.ts';
import { timeAgo } from './time-ago.ts';

/** What is needed, besides what is stored, to show a form. */
interface FormView {
  addressOf(form: AddressedForm): string;
  now: Date;
}

/** How this service shows forms now. */
export function currentView(context: Pick<Context, 'baseUrl' | 'config'>): FormView {
  return { addressOf: (form) => formAddress(context, form), now: new Date() };
}

/** Members of `presentation` that the public never sees. */
const MEMBERS_ONLY: readonly (keyof Presentation)[] = [
  'custom_code',
  'redirect_url',
  'endings',
  'database_fields_update',
];
/** Shown as booleans in blocks that have them. */
export const BLOCK_FLAGS = ['hidden', 'required'] as const;
export const PUBLIC_KEYS = PRESENTATION_KEYS.filter((key) => !MEMBERS_ONLY.includes(key));

/** A form for a member of its workspace; the role `readonly` does not see the password field. */
export function presentForm(form: FormRow, role: MemberRole, view: FormView) {
  return {
    id: form.id,
    uuid: form.uuid,
    workspace_id: form.workspace_id,
    creator_id: form.creator_id,
    title: form.title,
    slug: form.slug,
    visibility: form.visibility,
    tags: form.tags,
    closes_at: form.closes_at?.toISOString() ?? null,
    max_submissions_count: form.max_submissions_count,
    submission_retention_value: form.submission_retention_value,
    submission_retention_unit: form.submission_retention_unit ?? 'day',
    ...(isAtLeast(role, 'user') && { password: form.password_hash === null ? null : PASSWORD_MASK }),
    ...PRESENTATION_DEFAULTS,
    ...form.presentation,
    properties: form.properties.map(presentBlock),
    removed_properties: form.removed_properties.map(presentBlock),
    version: form.version,
    has_unpublished_changes: form.has_unpublished_changes,
    ...computed({ ...form, custom_domain: form.presentation.custom_domain ?? null }, view),
    has_password: form.password_hash !== null,
    is_password_protected: form.password_hash !== null,
    submissions_count: form.completed_count,
    views_count: form.views_count,
    last_edited_human: timeAgo(form.updated_at, view.now),
    cleanings: {},
    max_file_size: form.max_file_size,
    workspace: {
      id: form.workspace_id,
      name: form.workspace_name,
      icon: form.workspace_icon,
      settings: form.workspace_settings,
      max_file_size: form.max_file_size,
      is_readonly: !isAtLeast(role, 'user'),
    },
    created_at: form.created_at.toISOString(),
    updated_at: form.updated_at.toISOString(),
    trash_ends_at: form.trashed_at && trashEnd(form.trashed_at),
  };
}

/** Adds the default width, as blocks are stored as their owner sent them. */
export function withWidth(block: Property): Property {
  return { ...block, width: block.width ?? 'full' };
}

/** A block as it is shown. Forms that older versions stored have flags as they were sent, which are made booleans. */
export function presentBlock(block: Property): Property {
  const flags = BLOCK_FLAGS.filter((key) => Object.hasOwn(block, key));
  return { ...withWidth(block), ...Object.fromEntries(flags.map((key) => [key, isOn(block[key])])) };
}

/** A form in a list, without fields and texts. */
export function presentSummary(form: FormSummaryRow, view: FormView) {
  return {
    id: form.id,
    slug: form.slug,
    title: form.title,
    visibility: form.visibility,
    tags: form.tags,
    views_count: form.views_count,
    submissions_count: form.completed_count,
    partial_count: form.partial_count,
    last_submission_at: form.last_submission_at?.toISOString() ?? null,
    created_at: form.created_at.toISOString(),
    updated_at: form.updated_at.toISOString(),
    last_edited_human: timeAgo(form.updated_at, view.now),
    opens_at: form.opens_at?.toISOString() ?? null,
    closes_at: form.closes_at?.toISOString() ?? null,
    max_submissions_count: form.max_submissions_count,
    workspace_id: form.workspace_id,
    trash_ends_at: form.trashed_at && trashEnd(form.trashed_at),
    ...computed(form, view),
  };
}

/**
 * A form for anybody, without numeric ids and anything that only members should know.
 * @param isLocked the visitor may not see the questions, as for a password they have not given: then all content is left out, too
 */
export function presentPublicForm(form: FormRow, isLocked: boolean, view: FormView) {
  const presentation = { ...PRESENTATION_DEFAULTS, ...form.presentation };
  const isProtected = form.password_hash !== null;
  const common = { uuid: form.uuid, slug: form.slug, title: form.title, visibility: form.visibility };
  const { custom_domain } = presentation;
  const state = {
    ...computed({ ...form, custom_domain }, view),
    has_password: isProtected,
    is_password_protected: isProtected,
  };
  if (isLocked) return { ...common, ...pick(presentation, LOCKED_KEYS), properties: [], ...state };
  return {
    ...common,
    closes_at: form.closes_at?.toISOString() ?? null,
    max_submissions_count: form.max_submissions_count,
    ...pick(presentation, PUBLIC_KEYS),
    translations: withoutEndings(presentation.translations),
    properties: form.properties.map(withoutCode).map(presentBlock),
    ...state,
    max_file_size: form.max_file_size,
    workspace: { max_file_size: form.max_file_size, settings: {} },
    created_at: form.created_at.toISOString(),
    updated_at: form.updated_at.toISOString(),
  };
}

/** Visitors get to know the ending that they reach, and no other. */
function withoutEndings(translations: unknown): JsonObject {
  if (!isJsonObject(translations)) return {};
  const languages = Object.entries(translations).map(([code, texts]) => {
    if (!isJsonObject(texts)) return [code, texts];
    const { endings: _, ...others } = texts;
    return [code, others];
  });
  return Object.fromEntries(languages) as JsonObject;
}

/** Enough to ask for the password, or to say when it opens, in the form's own look. */
const LOCKED_KEYS = [
  'opens_at' as const,
  ...([
    'language',
    'theme',
    'presentation_style',
    'width',
    'size',
    'border_radius',
    'dark_mode',
    'color',
  ] as const),
  ...(['font_family', 'layout_rtl', 'uppercase_labels', 'no_branding', 'transparent_background'] as const),
  ...(['logo_picture', 'cover_picture', 'cover_settings', 'can_be_indexed'] as const),
];

function pick(presentation: Presentation, keys: readonly (keyof Presentation)[]): Partial<Presentation> {
  return Object.fromEntries(keys.map((key) => [key, presentation[key]]));
}

/** Only members see the code of blocks, like `custom_code`. */
function withoutCode<Block extends { type: string }>(block: Block): Block {
  return fieldTypeOf(block.type).name === 'nf-code' ? { ...block, content: null } : block;
}

type FormState = Pick<
  FormSummaryRow,
  | 'slug'
  | 'custom_domain'
  | 'visibility'
  | 'opens_at'
  | 'closes_at'
  | 'max_submissions_count'
  | 'completed_count'
>;

function computed(form: FormState, { addressOf, now }: FormView) {
  const { visibility, max_submissions_count: limit } = form;
  return {
    share_url: addressOf({ slug: form.slug, customDomain: form.custom_domain }),
    is_closed: isClosedAt({ visibility, opensAt: form.opens_at, closesAt: form.closes_at }, now),
    max_number_of_submissions_reached: limit !== null && form.completed_count >= limit,
  };
}
