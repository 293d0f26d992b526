import { fieldTypeOf } from '../../fields/field-types.ts';
import { isJsonObject, type JsonValue } from '../../fields/property.ts';
import { isAtLeast, type MemberRole } from '../access/abilities.ts';
import { forbidden } from '../http/errors.ts';
import type { FormInput } from './schemas.ts';

/** What may hold code of a form. */
interface CodeHolder {
  presentation: unknown;
  properties: readonly unknown[];
}

/**
 * Code that runs in visitors' browsers is for admins to write; what an admin wrote stays when others save the form.
 * @param current null for a form that is about to be created
 * @throws HttpError 403
 */
export function refuseForeignCode(role: MemberRole, input: FormInput, current: CodeHolder | null): void {
  if (isAtLeast(role, 'admin')) return;
  const known = current ? codeBlocks(current.properties) : new Map<string, string>();
  const { custom_code: before = null } = (current?.presentation ?? {}) as { custom_code?: string | null };
  const isNew = (input.custom_code ?? null) !== null && input.custom_code !== before;
  const hasNewBlock = [...codeBlocks(input.properties ?? [])].some(([id, code]) => known.get(id) !== code);
  if (isNew || hasNewBlock) throw forbidden('Only admins of the workspace may add code to a form.');
}

/** Code of the form's code blocks by the block's id. */
export function codeBlocks(properties: readonly unknown[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const block of properties) {
    if (!isJsonObject(block) || typeof block.type !== 'string') continue;
    const code = fieldTypeOf(block.type).name === 'nf-code' ? textOf(block.content) : '';
    if (code !== '') found.set(String(block.id ?? ''), code);
  }
  return found;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
