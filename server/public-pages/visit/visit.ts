import { randomBytes } from 'node:crypto';
import { ATTRIBUTION_KEYS } from '../../../fields/attribution-keys.ts';
import { FIRST_STEP, type StepPlace } from '../../../fields/logic/steps.ts';
import type { Property } from '../../../fields/property.ts';
import { storageProblem } from '../../../fields/storable.ts';
import { parseUuid } from '../../http/schemas/ids.ts';
import { PERSONAL } from '../../recipients/personal-link.ts';
import { type Attribution, MAX_ATTRIBUTION_LENGTH } from '../../submissions/acceptance/attribution.ts';

/**
 * The data of a visit that is passed from page to page. It is in the address, not in cookies, so that it works when embedded in
 * any site. Anybody may have written any part of it.
 */
export interface Visit {
  /** Random. Identifies the draft, and makes sending the same answers twice harmless. */
  id: string;
  /** When the form was opened, in seconds since 1970. */
  startedAt: number;
  /** Seconds until it was ready to be sent, for a form that waited for a network; null for any other. */
  took: number | null;
  /** The step that is shown. */
  step: StepPlace;
  /** Proves that the password of a protected form was given. */
  key: string | null;
  /** Id of the submission that is edited. */
  submissionId: string | null;
  /** Hash of the partial submission that is continued. */
  submissionHash: string | null;
  /** The secret part of the personal link that the visit began with. */
  personal: string | null;
  /** The language the visitor chose; the form may not have it. */
  language: string | null;
  /** Where the visitor came from, by the address of the first page. */
  attribution: Attribution | null;
}

/** The query of a page; the last value of a repeated key counts. */
export type PageQuery = URLSearchParams;

const ID_BYTES = 16;
const ID = /^[\w-]{22}$/;
const LANGUAGE = /^[a-z]{2}$/;
/** Characters of the answers in an address that pages carry along. */
const MAX_GIVEN = 4_000;
const WHOLE_NUMBER = /^\d{1,10}$/;

/** Query keys of the visit; any other key may prefill a field. */
const VISIT_KEYS = [
  'visit',
  'at',
  'took',
  'step',
  'key',
  'submission_id',
  'submission_hash',
  PERSONAL,
] as const;
const RESERVED: ReadonlySet<string> = new Set([...VISIT_KEYS, ...ATTRIBUTION_KEYS]);

/** A visit at its beginning, with nothing carried along. */
export function newVisit(now: Date): Visit {
  return readVisit(new URLSearchParams(), now);
}

/** The query part of an address. */
export function queryOf({ url }: { url: string }): PageQuery {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}

/** Reads the visit from the query, or begins one. */
export function readVisit(query: PageQuery, now: Date): Visit {
  const id = query.get('visit') ?? '';
  const seconds = Math.floor(now.getTime() / 1000);
  const startedAt = wholeNumber(query.get('at')) ?? seconds;
  return {
    id: ID.test(id) ? id : randomBytes(ID_BYTES).toString('base64url'),
    startedAt: Math.min(startedAt, seconds),
    took: wholeNumber(query.get('took')),
    step: readStep(query.get('step') ?? ''),
    key: query.get('key'),
    submissionId: parseUuid(query.get('submission_id')),
    submissionHash: query.get('submission_hash'),
    personal: query.get(PERSONAL),
    language: LANGUAGE.test(query.get('lang') ?? '') ? query.get('lang') : null,
    attribution: readAttribution(query),
  };
}

/** A step as `visitPath` writes it, or as its index alone. */
function readStep(text: string): StepPlace {
  const [, index = '', , firstBlock = null] = /^(\d+)(\.(.+))?$/s.exec(text) ?? [];
  return { index: wholeNumber(index) ?? 0, firstBlock };
}

/** The visit as it is without what came before: another one that begins now, for the same form and by the same links. */
export function begunAnew(visit: Visit, now: Date): Visit {
  const { id, startedAt } = newVisit(now);
  return { ...visit, id, startedAt, step: FIRST_STEP };
}

/** More keys than any honest address has: a limit against abuse. */
const MOST_KEYS = 50;

/**
 * Whether the page is as everybody first finds the form: apart from attribution and a language, the query has no key that the
 * form knows. Names of inputs begin with their field's id.
 */
export function isPlainBeginning(query: PageQuery, properties: readonly Property[]): boolean {
  if (query.size > MOST_KEYS || VISIT_KEYS.some((key) => query.has(key))) return false;
  return !hasAnswers(query, properties);
}

function hasAnswers(query: PageQuery, properties: readonly Property[]): boolean {
  return [...query.keys()].some((key) => properties.some(({ id }) => key.startsWith(id)));
}

/** Path of the pages of a visit. By the form's id, because another form may take the slug while a page is open. */
export function pathOf({ uuid }: { uuid: string }): string {
  return `/forms/${uuid}`;
}

/**
 * The address of a page of this visit, without its origin.
 * @param more entries of `prefillOf`, or for the page itself
 */
export function visitPath(path: string, visit: Visit, more: Iterable<[string, string]> = []): string {
  const query = new URLSearchParams([['visit', visit.id], ['at', String(visit.startedAt)], ...more]);
  const { index, firstBlock } = visit.step;
  if (index > 0) query.set('step', firstBlock === null ? `${index}` : `${index}.${firstBlock}`);
  if (visit.key !== null) query.set('key', visit.key);
  if (visit.submissionId !== null) query.set('submission_id', visit.submissionId);
  if (visit.submissionHash !== null) query.set('submission_hash', visit.submissionHash);
  if (visit.personal !== null) query.set(PERSONAL, visit.personal);
  if (visit.language !== null) query.set('lang', visit.language);
  for (const [key, value] of Object.entries(visit.attribution ?? {})) query.set(key, value);
  return `${path}?${query}`;
}

/** Query values that may be answers: `?<field id>=…`, repeated or as `<field id>[]` for lists. */
export function prefillOf(query: PageQuery): PageQuery {
  return new URLSearchParams([...query].filter(([key]) => !RESERVED.has(key)));
}

/**
 * Likewise those that pages carry along: the addresses of further pages, and of the form after sending, fill in the same. None if no
 * field knows any of them, or if they are too long for that.
 */
export function givenBy(query: PageQuery, properties: readonly Property[]): PageQuery {
  const given = prefillOf(query);
  given.delete('lang');
  return hasAnswers(given, properties) && `${given}`.length <= MAX_GIVEN ? given : new URLSearchParams();
}

/** Whether a query value of this name may be an answer; otherwise it says something of the visit, whatever fields are called. */
export function mayBeAnswer(key: string): boolean {
  return !RESERVED.has(key) && key !== 'lang';
}

/** Query keys of what was entered and saved before. */
const OF_WHAT_WAS_ENTERED = new Set<string>(VISIT_KEYS.filter((key) => key !== 'key' && key !== PERSONAL));

/** The address at which a form opens as by the same link, without what was entered before. */
export function anewPath(path: string, query: PageQuery): string {
  const kept = new URLSearchParams([...query].filter(([key]) => !OF_WHAT_WAS_ENTERED.has(key)));
  return kept.size > 0 ? `${path}?${kept}` : path;
}

/** The query of another visit that begins as this one did: with the same values filled in, and from the same place. */
export function beginningOf({ attribution }: Visit, given: PageQuery): PageQuery {
  return new URLSearchParams([...given, ...Object.entries(attribution ?? {})]);
}

/** Likewise as an address has it, which anybody may have written: it brings no visit. */
export function beginningIn(text: string): PageQuery {
  const keys = new Set<string>([...VISIT_KEYS, 'lang']);
  return new URLSearchParams([...new URLSearchParams(text)].filter(([key]) => !keys.has(key)));
}

/**
 * Leaves out values that are blank, too long or cannot be stored. The API refuses them, but an address must still open the form.
 */
function readAttribution(query: PageQuery): Attribution | null {
  const attribution: Attribution = {};
  for (const key of ATTRIBUTION_KEYS) {
    const value = query.get(key)?.trim() ?? '';
    const isTooLong = [...value].length > MAX_ATTRIBUTION_LENGTH;
    if (value !== '' && !isTooLong && storageProblem(value) === null) attribution[key] = value;
  }
  return Object.keys(attribution).length > 0 ? attribution : null;
}

function wholeNumber(text: string | null): number | null {
  return text !== null && WHOLE_NUMBER.test(text) ? Number(text) : null;
}
