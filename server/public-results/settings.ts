import { isOneOf } from '../../fields/block-options/options.ts';
import { isJsonObject, type Property } from '../../fields/property.ts';
import { canonicalTypeName, SUMMARISED_TYPES } from '../../fields/type-names.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';

/** Default step, in submissions. */
const USUAL_STEP = 5;

/** The public results of a form. */
export interface PublicResultSettings {
  /** Questions in the language of the page. */
  questions: readonly Property[];
  /** Fewest submissions that are shown, and number of added or removed ones that lead to new results. */
  step: number;
}

/** Null for a form that shows nothing, or has a password, which protects the answers too. */
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

/** Whether answers to a question can be summarised. */
export function isSummarised({ type }: Property): boolean {
  return isOneOf(SUMMARISED_TYPES, canonicalTypeName(type));
}
