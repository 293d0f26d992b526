import type { AuditFilter, FormsFilter } from '../api/queries.ts';
import { isDay } from './days.ts';

// Readers for the query parts of screens, which anybody can write.

type Raw = Record<string, unknown>;

/** A reader whose result replaces the query; the router would keep parameters that it leaves out. */
export function only<Search extends object>(read: (raw: Raw) => Search): (raw: Raw) => Search {
  return (raw) => ({ ...Object.fromEntries(Object.keys(raw).map((key) => [key, undefined])), ...read(raw) });
}

/** Where to go after signing in: only an address of the dashboard, never another site. */
export function readNext({ next }: Raw): { next?: string } {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}

/** Whether the first step of signing in was done elsewhere. */
export function readStep({ step }: Raw): { step?: 'second' } {
  return step === 'second' ? { step } : {};
}

/** The reason why single sign-on failed, if there is a sentence for it. */
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
