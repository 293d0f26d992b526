import type { FastifyRequest } from 'fastify';
import { isBlankText, isFlag, isOn } from '../../../fields/block-options/options.ts';
import { isJsonObject } from '../../../fields/property.ts';
import { BLOCK_FLAGS } from '../present-form.ts';
import { FORM_FIELDS } from '../schemas.ts';
import { cutTitle } from '../title.ts';

type Body = Record<string, unknown>;

/** null and blank texts count as empty; an empty list counts as an empty object, too, as PHP writes it so. */
const EMPTY_OBJECTS = ['cover_settings', 'settings', 'translations', 'seo_meta', 'analytics'];
const EMPTY_LISTS = ['tags', 'computed_variables', 'endings'];

/** Runs before validation, and converts the variants that clients of this API family send into the one that the schema knows. */
export async function normaliseFormInput({ body }: FastifyRequest): Promise<void> {
  normaliseDefinition(body);
}

/** Like `normaliseFormInput`, for a definition that did not come in a request; changes it in place. */
export function normaliseDefinition(body: unknown): void {
  if (!isJsonObject(body)) return;
  const input: Body = body;
  for (const [key, schema] of Object.entries(FORM_FIELDS)) {
    if (Object.hasOwn(input, key)) input[key] = normalised(key, typesOf(schema), input[key]);
  }
  if (input.workspace_id === null) delete input.workspace_id;
  else input.workspace_id = wholeNumber(input.workspace_id);
  if (input.title === null) input.title = '';
  else if (typeof input.title === 'string') input.title = cutTitle(input.title.trim());
  if (input.editable_submissions === null || isBlankText(input.editable_submissions))
    input.editable_submissions = false;
  if (isJsonObject(input.analytics) && isBlankText(input.analytics.provider)) input.analytics.provider = null;
  if (isJsonObject(input.settings))
    normaliseFlags(input.settings, [
      'navigation_arrows',
      'auto_next',
      'works_offline',
      'forget_changes',
      'sets_spam_aside',
      'gives_receipts',
    ]);
  if (Array.isArray(input.endings))
    for (const ending of input.endings.filter(isJsonObject)) normaliseEnding(ending);
  if (Array.isArray(input.properties))
    for (const block of input.properties.filter(isJsonObject)) normaliseBlock(block);
}

/** The types that a value may have; for a choice only `null`, if it may be null. */
function typesOf(schema: object): string[] {
  const { type = [], enum: choices = [] } = schema as { type?: string | string[]; enum?: unknown[] };
  return choices.includes(null) ? ['null'] : [type].flat();
}

function normalised(key: string, types: string[], value: unknown): unknown {
  if (types.includes('boolean')) return flag(value);
  if (types.includes('integer')) return value === '' ? null : wholeNumber(value);
  if (EMPTY_LISTS.includes(key)) return value === null || isBlankText(value) ? [] : value;
  if (EMPTY_OBJECTS.includes(key)) return isEmpty(value) ? {} : value;
  // Spaces count as nothing in a text, but may be somebody's password.
  const isNothing = key === 'password' ? value === '' : isBlankText(value);
  return isNothing && types.includes('null') ? null : value;
}

function flag(value: unknown): unknown {
  return value !== null && isFlag(value) ? isOn(value) : value;
}

function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
}

function isEmpty(value: unknown): boolean {
  return value === null || isBlankText(value) || (Array.isArray(value) && value.length === 0);
}

function normaliseFlags(members: Body, keys: readonly string[]): void {
  for (const key of keys) {
    if (Object.hasOwn(members, key)) members[key] = flag(members[key]);
  }
}

/** A blank text or address is none, and an ending without an id is new. */
function normaliseEnding(ending: Body): void {
  for (const key of ['submitted_text', 'redirect_url']) if (isBlankText(ending[key])) ending[key] = null;
  if (ending.id === null || isBlankText(ending.id)) delete ending.id;
  if (typeof ending.name === 'string') ending.name = ending.name.trim();
}

/** In a block, a flag that is null is off. */
function normaliseBlock(block: Body): void {
  for (const key of BLOCK_FLAGS) if (block[key] === null) block[key] = false;
  normaliseFlags(block, BLOCK_FLAGS);
}
