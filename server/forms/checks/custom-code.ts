import { fieldTypeOf } from '../../../fields/field-types.ts';
import { isJsonObject, type JsonValue } from '../../../fields/property.ts';
import { isAtLeast, type MemberRole } from '../../access/abilities.ts';
import { forbidden } from '../../http/errors.ts';
import type { DraftDefinition } from '../drafts/definition.ts';

/** A form, or an input to change one, which may be half finished as a draft. */
type CodeHolder = { presentation: unknown; properties: unknown } | DraftDefinition;

/**
 * Only admins may add code that runs in visitors' browsers. When others save the form, code that it has already may stay.
 * @param known where the code may be already; nothing for a form that is about to be created
 * @throws HttpError 403
 */
export function refuseForeignCode(role: MemberRole, input: DraftDefinition, ...known: CodeHolder[]): void {
  if (isAtLeast(role, 'admin')) return;
  const isNew =
    (input.custom_code ?? null) !== null && !known.some((one) => codeOf(one) === input.custom_code);
  if (isNew || addsCodeBlock(input.properties, known))
    throw forbidden('Only admins of the workspace may add code to a form.');
}

/** Whether there are code blocks among `properties` that none of `known` has. */
export function addsCodeBlock(properties: unknown, known: readonly { properties?: unknown }[]): boolean {
  const blocks = known.flatMap((holder) => codeBlocks(holder.properties));
  // Not looked up by id, as blocks in a draft may share an id, or have none.
  return codeBlocks(properties).some(
    ({ id, code }) => !blocks.some((one) => one.id === id && one.code === code),
  );
}

function codeOf(holder: CodeHolder): unknown {
  const members = isJsonObject(holder.presentation) ? holder.presentation : holder;
  return (members as DraftDefinition).custom_code;
}

/** The code blocks of a form that are not empty. */
export function codeBlocks(properties: unknown): { id: string; code: string }[] {
  if (!Array.isArray(properties)) return [];
  return properties.flatMap((block) => {
    if (!isJsonObject(block) || typeof block.type !== 'string') return [];
    const code = fieldTypeOf(block.type).name === 'nf-code' ? textOf(block.content) : '';
    return code === '' ? [] : [{ id: String(block.id ?? ''), code }];
  });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
