import { isOneOf } from '../../fields/options.ts';
import { isJsonObject, type Property } from '../../fields/property.ts';
import { canonicalTypeName, SUMMARISED_TYPES } from '../../fields/type-names.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';

/** Submissions that are shown together where the owner says nothing else. */
const USUAL_STEP = 5;

/** What a form shows everybody. */
export interface PublicResultSettings {
  /** In the language of the page. */
  questions: readonly Property[];
  /** Submissions that are shown together: so many are the least, and so many that come or go make the next results. */
  step: number;
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
  const questions = properties.filter((question) => fields.includes(question.id) && isSummarised(question));
  if (questions.length === 0) return null;
  return { questions, step: typeof wanted.step === 'number' ? wanted.step : USUAL_STEP };
}

/** Whether answers to a question can be shown together. */
export function isSummarised({ type }: Property): boolean {
  return isOneOf(SUMMARISED_TYPES, canonicalTypeName(type));
}
