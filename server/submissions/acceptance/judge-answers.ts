import { randomUUID } from 'node:crypto';
import { isBlank } from '../../../fields/block-options/options.ts';
import { labelOf } from '../../../fields/choices/choices.ts';
import type { CheckOptions, CompiledAnswers } from '../../../fields/compile-answers.ts';
import type { SubmissionLookup } from '../../../fields/logic/logic.ts';
import {
  type Answers,
  addError,
  type ErrorBag,
  emptyErrorBag,
  type JsonValue,
  ownMember,
} from '../../../fields/property.ts';
import { isUuid } from '../../../fields/uuid.ts';
import type { Db } from '../../db/database.ts';
import { gathering } from '../../db/gathering.ts';
import { knowFiles } from '../../files/claim-files.ts';
import { invalid } from '../../http/errors.ts';
import { type FieldOption, findFullOptions, type PlacesAsked } from '../option-places-queries.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { type LookedAt, lookUp } from './look-up.ts';
import { nextAutoIncrement } from './queries.ts';

/** The parts of a form that answers are checked against. */
type JudgingForm = Pick<PublishedForm, 'id' | 'compiled'>;

/** Answers that passed. */
interface JudgedAnswers {
  /** What to store. */
  answers: Answers;
  /** What the form's conditions looked up in earlier submissions; null when they looked up nothing. */
  lookedAt: LookedAt | null;
  /** The result of that look-up; null when they looked up nothing. */
  existsInSubmissions: ((lookup: SubmissionLookup) => boolean) | null;
}

interface Circumstances {
  partial: boolean;
  /** The submission that is being edited: look-ups in earlier submissions leave it out. */
  ownPublicId: string | null;
  /** The submission that these answers belong to, or will: it may keep the files it holds. */
  publicId: string;
  /** The answers it has had so far: generated ids and numbers in them stay when none are sent. */
  before: Answers | null;
  /** Whether these belong to a complete submission: nothing is made for it that it has not had. */
  wasComplete?: boolean;
  /** The rules in another language, for the texts of problems. */
  rulesToTell?: () => CompiledAnswers;
  /** Owners may choose options beyond their limit. */
  mayOverbook?: boolean;
  /** When the answers were given, if not now: dates that may not be past or future are compared with it. */
  now?: Date;
}

/** Submissions per query for full options; each may bring a megabyte of answers. */
const MAX_ASKED = 64;
/** Submissions that are judged at the same time share a query. One asker per database. */
const askers = new WeakMap<Db, (asked: PlacesAsked) => Promise<FieldOption[]>>();
function fullOptionsOf(db: Db) {
  const asker = askers.get(db) ?? gathering(MAX_ASKED, (asked: PlacesAsked[]) => findFullOptions(db, asked));
  askers.set(db, asker);
  return asker;
}

/** The answer of a field that numbers submissions. */
const DIGITS = /^\d+$/;

/**
 * Checks the answers against the form.
 * @param errors problems already found in the envelope; they are reported together with those of the answers
 * @throws HttpError 422 with every problem of every field
 */
export async function judgeAnswers(
  db: Db,
  form: JudgingForm,
  received: Answers,
  errors: ErrorBag,
  circumstances: Circumstances,
): Promise<JudgedAnswers> {
  const { partial, ownPublicId, publicId, before, rulesToTell, mayOverbook = false, now } = circumstances;
  const sent = before ? withGenerated(form, received, before) : received;
  const lookups = partial ? [] : form.compiled.lookups(sent);
  const lookedUp = lookups.length > 0 ? await lookUp(db, form.id, lookups, ownPublicId) : null;
  const files = form.compiled.fileTexts(sent);
  const options: CheckOptions = {
    partial,
    makeUuid: randomUUID,
    former: circumstances.wasComplete ? before : null,
    ...(now && { now }),
    ...(files.length > 0 && { findFile: await knowFiles(db, form.id, files, publicId) }),
    ...(lookedUp && { existsInSubmissions: lookedUp.exists }),
  };
  const result = form.compiled.check(sent, options);
  const told = (result.errors && rulesToTell?.().check(sent, options).errors) ?? result.errors;
  // A partial submission takes no place of an option with a limit.
  const wanted = partial || mayOverbook ? null : form.compiled.answersForPlaces(result.answers);
  const full = wanted ? await fullOptionsOf(db)({ formId: form.id, publicId, answers: wanted }) : [];
  const problems = full.length > 0 ? withFullOptions(told, full, rulesToTell?.() ?? form.compiled) : told;
  // Problems of the envelope come first. They are in English, so the form's language is not used for the summary.
  if (Object.keys(errors).length > 0) throw invalid(merge(errors, problems ?? {}));
  if (problems) throw invalid(problems, form.compiled.messages.andMore);
  return {
    answers: result.answers,
    lookedAt: lookedUp?.lookedAt ?? null,
    existsInSubmissions: lookedUp?.exists ?? null,
  };
}

/** Adds a problem for each option that has no place left; it names the option in the language of the rules. */
function withFullOptions(
  told: ErrorBag | null,
  full: readonly FieldOption[],
  { fields, messages }: CompiledAnswers,
): ErrorBag {
  const problems = merge(emptyErrorBag(), told ?? {});
  for (const { field, option } of full) {
    const property = fields.find(({ id }) => id === field)?.property;
    addError(problems, field, messages.optionFull(property ? labelOf(property, option) : option));
  }
  return problems;
}

/** Keeps generated ids and numbers, unless another id or number was sent in their place. */
function withGenerated({ compiled }: JudgingForm, sent: Answers, before: Answers): Answers {
  const kept = compiled.generatedIds.filter((id) => {
    const isNumber = compiled.autoIncrementIds.includes(id);
    const answer = ownMember(sent, id);
    return !isBlank(ownMember(before, id)) && !(isNumber ? isNumeric(answer) : isUuid(answer));
  });
  if (kept.length === 0) return sent;
  return { ...sent, ...Object.fromEntries(kept.map((id) => [id, before[id] ?? null])) };
}

/**
 * Numbers a submission that is about to be stored as complete for the first time. All its numbering fields get the same number; a
 * number that was sent is kept. If the submission is not stored after all, its number is skipped.
 */
export async function numberAnswers(db: Db, form: JudgingForm, answers: Answers): Promise<void> {
  const open = form.compiled.autoIncrementIds.filter((id) => !isNumeric(answers[id]));
  if (open.length === 0) return;
  const number = await nextAutoIncrement(db, form.id);
  if (number !== null) for (const id of open) answers[id] = String(number);
}

function isNumeric(answer: JsonValue | undefined): boolean {
  return DIGITS.test(String(answer ?? ''));
}

function merge(first: ErrorBag, second: ErrorBag): ErrorBag {
  return Object.assign(emptyErrorBag(), first, second);
}
