import { withoutRemoved } from '../../fields/answer-retention.ts';
import type { Answers } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { type PublishedForm, rulesOf } from './published-forms.ts';

/**
 * The form as it applies to a change of a submission with these answers: those that were removed by the retention of their fields are
 * not required again. Compiled anew, but only if there are any.
 * @param sent the answers that are to be stored instead; those that are given again are judged like any
 */
export function withRemovedAnswers(
  form: PublishedForm,
  stored: Answers | null,
  sent: Answers = {},
): PublishedForm {
  const properties = stored && withoutRemoved(form.properties, stored, sent);
  if (!properties) return form;
  const { presentation } = form;
  return {
    ...form,
    properties,
    ...rulesOf({ properties, presentation }, serverEngines),
    inLanguage: (code) => withRemovedAnswers(form.inLanguage(code), stored, sent),
  };
}
