import { createHash } from 'node:crypto';
import { isOneOf } from '../../fields/options.ts';
import { isJsonObject, type Property } from '../../fields/property.ts';
import { canonicalTypeName, SUMMARISED_TYPES } from '../../fields/type-names.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/** Submissions that are shown together where the owner says nothing else. */
const USUAL_STEP = 5;

/** What a form shows everybody. */
export interface PublicResultSettings {
  questions: readonly Property[];
  /** Submissions that are shown together: so many are the least, and so many make the next results. */
  step: number;
  /** Names all of it, and the questions as they are asked. */
  asked: string;
}

/** Null for a form that shows nothing. A password protects what was answered, too. */
export function publicResultSettings({
  presentation,
  properties,
  passwordHash,
}: PublishedForm): PublicResultSettings | null {
  const wanted = presentation.settings.public_results;
  if (!isJsonObject(wanted) || !Array.isArray(wanted.fields) || passwordHash !== null) return null;
  const { fields } = wanted;
  const questions = properties.filter(
    ({ id, type }) => fields.includes(id) && isOneOf(SUMMARISED_TYPES, canonicalTypeName(type)),
  );
  if (questions.length === 0) return null;
  const step = typeof wanted.step === 'number' ? wanted.step : USUAL_STEP;
  const asked = createHash('sha256')
    .update(JSON.stringify([step, questions.map(withoutLook)]))
    .digest('base64url');
  return { questions, step, asked };
}

/** The labels of another language are the same question. */
function withoutLook({ labels: _labels, name: _name, help: _help, ...question }: Property): object {
  return question;
}
