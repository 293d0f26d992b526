import { withoutRemoved } from '../../fields/answer-retention.ts';
import { withoutPassedDays } from '../../fields/kept-dates.ts';
import type { Answers } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { type PublishedForm, rulesOf } from './published-forms.ts';

/**
 * The form as it applies to a change of a submission with these answers: those that were removed by the retention of their fields are
 * not required again, and days that have passed since may stay. Compiled anew, but only if there are any.
 * @param sent the answers that are to be stored instead; those that are given again are judged like any
 */
export function formForChange(
  form: PublishedForm,
  stored: Answers | null,
  sent: Answers = {},
): PublishedForm {
  if (!stored) return form;
  const left = withoutRemoved(form.properties, stored, sent);
  const properties = withoutPassedDays(left ?? form.properties, stored, sent) ?? left;
  if (!properties) return form;
  const { presentation } = form;
  return {
    ...form,
    properties,
    ...rulesOf({ properties, presentation }, serverEngines),
    inLanguage: (code) => formForChange(form.inLanguage(code), stored, sent),
  };
}
