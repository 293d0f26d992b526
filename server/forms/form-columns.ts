import { randomUUID } from 'node:crypto';
import type { Ending, NewEnding } from '../../fields/logic/endings.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { readMoment } from '../http/schemas/moments.ts';
import { hashFormPassword, PASSWORD_MASK } from './form-password.ts';
import { type FormInput, PRESENTATION_KEYS, type Presentation } from './schemas.ts';

/** Texts that may contain HTML. */
const HTML_TEXTS = ['submitted_text', 'closed_text', 'max_submissions_reached_text'] as const;

/** The columns that a checked input sets, except `properties` and retention; members that it does not name are left out. */
export async function formColumns(input: FormInput) {
  const { title, visibility, tags, closes_at, max_submissions_count } = input;
  return {
    ...(title !== undefined && { title }),
    ...(visibility !== undefined && { visibility }),
    ...(tags !== undefined && { tags }),
    ...(closes_at !== undefined && { closes_at: closes_at && readMoment(closes_at) }),
    ...(max_submissions_count !== undefined && { max_submissions_count }),
    ...(await password(input)),
  };
}

/** The members of the `presentation` column that a checked input sets. */
export function presentationOf(input: FormInput): Partial<Presentation> {
  const presentation: Partial<Presentation> = Object.fromEntries(
    PRESENTATION_KEYS.filter((key) => input[key] !== undefined).map((key) => [key, input[key]]),
  );
  // Stored in a format that PostgreSQL reads as well.
  if (presentation.opens_at) presentation.opens_at = readMoment(presentation.opens_at)?.toISOString() ?? null;
  for (const key of HTML_TEXTS) {
    const html = presentation[key];
    if (typeof html === 'string') presentation[key] = serverEngines.sanitiseHtml(html);
  }
  if (presentation.endings) presentation.endings = presentation.endings.map(preparedEnding);
  return presentation;
}

/** An ending as it is stored: with an id, and HTML without scripts. */
function preparedEnding(ending: NewEnding): Ending {
  const { id, name, conditions, submitted_text: text, redirect_url: address } = ending;
  const html = typeof text === 'string' ? serverEngines.sanitiseHtml(text) : null;
  return { id: id ?? randomUUID(), name, conditions, submitted_text: html, redirect_url: address ?? null };
}

/**
 * The columns of the retention that a checked input sets. Value and unit are always set or cleared together.
 * @param currentUnit stays when the input names only a value; null: it is in days then
 */
export function retentionColumns(
  { submission_retention_value: value, submission_retention_unit: unit }: FormInput,
  currentUnit: string | null,
) {
  if (value === null) return { submission_retention_value: null, submission_retention_unit: null };
  if (value === undefined) return unit ? { submission_retention_unit: unit } : {};
  return { submission_retention_value: value, submission_retention_unit: unit ?? currentUnit ?? 'day' };
}

async function password({ password: text }: FormInput) {
  if (text === undefined || text === PASSWORD_MASK) return {};
  return { password_hash: text === null ? null : await hashFormPassword(text) };
}
