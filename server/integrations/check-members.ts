import { isDeepStrictEqual } from 'node:util';
import { addError, type ErrorBag, type JsonObject, type JsonValue } from '../../fields/property.ts';
import type { IntegrationRules } from './check-integration.ts';

/** Changes of `data` in a call: members to set, null for those to remove. */
export type MemberChanges = JsonObject;

/** Returns what to store of a value, or its problem. */
export type Rule = (value: JsonValue, rules: IntegrationRules) => JsonValue | { problem: string };

/** The members of `data` that a kind of integration has. */
export interface MemberRules {
  members: Record<string, Rule>;
  /** Without which it cannot be made, and which are never removed. */
  required: readonly string[];
}

/**
 * Checks members of `data` of a new or changed integration: absent members stay, null and '' remove. Every problem is
 * added to `errors`, keyed `data.<member>`.
 */
export function checkMembers(
  { members, required }: MemberRules,
  { data, isNew }: { data: JsonObject; isNew: boolean },
  rules: IntegrationRules,
  errors: ErrorBag,
): MemberChanges {
  const changes: Record<string, JsonValue> = {};
  const stored = (rules.stored?.data ?? {}) as JsonObject;
  for (const [member, rule] of Object.entries(members)) {
    const given = data[member];
    const isRequired = required.includes(member);
    if (given === undefined && !(isNew && isRequired)) continue;
    if (given !== undefined && isDeepStrictEqual(given, stored[member])) continue;
    if (given === undefined || given === null || given === '') {
      if (isRequired) addError(errors, `data.${member}`, `The ${nameOf(member)} field is required.`);
      else changes[member] = null;
      continue;
    }
    const checked = rule(given as JsonValue, rules);
    if (isProblem(checked)) addError(errors, `data.${member}`, `The ${nameOf(member)} ${checked.problem}`);
    else changes[member] = checked;
  }
  return changes;
}

/** A line of at most `limit` characters; none when blank. */
export function line(limit: number): Rule {
  return (value) => {
    if (typeof value !== 'string') return { problem: 'must be a text.' };
    if ([...value].length > limit) return { problem: `may not be greater than ${limit} characters.` };
    return value.trim() || null;
  };
}

export function flag(value: JsonValue): ReturnType<Rule> {
  return typeof value === 'boolean' ? value : { problem: 'must be true or false.' };
}

function isProblem(checked: ReturnType<Rule>): checked is { problem: string } {
  return typeof checked === 'object' && checked !== null && 'problem' in checked;
}

/** `reply_to_field` in words. */
function nameOf(member: string): string {
  return member.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => ` ${letter.toUpperCase()}`).trim();
}
