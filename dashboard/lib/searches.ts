import type { AuditFilter, FormsFilter } from '../api/queries.ts';
import { isDay } from './days.ts';

// What stands behind the `?` of screens, read with care: anybody can type anything there.

type Raw = Record<string, unknown>;

/** A reader whose word counts: what it leaves out, which the router would keep as it was typed, is gone. */
export function only<Search extends object>(read: (raw: Raw) => Search): (raw: Raw) => Search {
  return (raw) => ({ ...Object.fromEntries(Object.keys(raw).map((key) => [key, undefined])), ...read(raw) });
}

/** Where to go after signing in: an address of the dashboard's own, never another site. */
export function readNext({ next }: Raw): { next?: string } {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

/** Whether the first step of signing in was taken elsewhere. */
export function readStep({ step }: Raw): { step?: 'second' } {
  return step === 'second' ? { step } : {};
}

/** Why single sign-on let nobody in; what there is a sentence for. */
export function readProblem({ problem }: Raw): { problem?: string } {
  return text('problem', problem);
}

export function readInvitation({ email, invite_token }: Raw): { email?: string; invite_token?: string } {
  return { ...text('email', email), ...text('invite_token', invite_token) };
}

export function readFormsSearch({ page, search, tag, visibility, sort }: Raw): FormsFilter {
  return {
    ...(Number(page) > 1 && { page: Math.floor(Number(page)) }),
    ...text('search', search),
    ...text('tag', tag),
    ...((visibility === 'public' ||
      visibility === 'draft' ||
      visibility === 'closed' ||
      visibility === 'trash') && { visibility }),
    ...((sort === 'last_submission_at' || sort === 'submissions_count' || sort === 'title') && { sort }),
  };
}

export function readAuditSearch({ verb, user_id, since, until }: Raw): AuditFilter {
  return {
    ...text('verb', verb),
    ...(Number.isSafeInteger(Number(user_id)) && Number(user_id) > 0 && { user_id: Number(user_id) }),
    ...day('since', since),
    ...day('until', until),
  };
}

function text<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
  return (isText ? { [key]: String(value) } : {}) as { [K in Key]?: string };
}

function day<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  return (isDay(value) ? { [key]: value } : {}) as { [K in Key]?: string };
}
