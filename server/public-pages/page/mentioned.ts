import { type Speech, sayAnswers } from '../../../fields/as-text/said-answers.ts';
import type { ComputedValues } from '../../../fields/formulas/variables.ts';
import { html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { askTogether } from '../../../fields/logic/shared-work.ts';
import type { Shown } from '../../../fields/logic/shown.ts';
import { type Answers, type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { replaceMentions } from '../../../fields/texts/mentions.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { sanitiseHtml } from './sanitise.ts';

/** Returns a function that says what the form's texts mention, in its language. */
export function sayingAnswers(
  { properties, presentation, compiled }: PublishedForm,
  given: { answers: Answers } & Partial<Shown>,
): ReturnType<typeof sayAnswers> {
  const { code: language, page } = languageFor(presentation.language);
  const speech: Speech = { language, yes: page.yes, no: page.no, sanitiseHtml: serverEngines.sanitiseHtml };
  const computed = workingOut(compiled.variables, given.read ?? given.answers);
  return sayAnswers(properties, { ...given, computed }, speech);
}

/** Returns a function for the value of a calculation or a field, as `read` has it. */
export function valuesOf(
  { compiled }: Pick<PublishedForm, 'compiled'>,
  { read }: Pick<Shown, 'read'>,
): (id: string) => JsonValue | undefined {
  const computed = workingOut(compiled.variables, read);
  return (id) => computed(id) ?? ownMember(read, id);
}

/** Computes all variables when the first is asked for: their total cost is limited. */
function workingOut(variables: ComputedValues, answers: Answers): (id: string) => JsonValue | undefined {
  let values: Map<string, JsonValue> | null = null;
  return (wanted) => {
    if (!variables.has(wanted)) return undefined;
    values ??= askTogether(() => new Map([...variables].map(([id, valueFor]) => [id, valueFor(answers)])));
    return values.get(wanted);
  };
}

/**
 * An owner's text as safe markup, with mentioned answers in elements that the script keeps up to date. Answers are filled in
 * after sanitising, when every angle bracket left belongs to a tag, so an answer stays text.
 */
export function textWithAnswers(text: string, say: ReturnType<typeof sayAnswers>): string {
  return replaceMentions(
    sanitiseHtml(text),
    ({ fieldId, fallback }) =>
      html`<span data-mention="${fieldId}" data-fallback="${fallback}">${say(fieldId, fallback)}</span>`
        .markup,
  );
}

/** Ids that the texts of a page mention, whether or not such fields exist. */
export function mentionedIds(properties: readonly Property[]): Set<string> {
  const ids = new Set<string>();
  for (const text of properties.flatMap(({ content, help, amount }) => [content, help, amount])) {
    if (typeof text !== 'string' || !text.includes('mention-field-id')) continue;
    replaceMentions(sanitiseHtml(text), ({ fieldId }) => {
      ids.add(fieldId);
      return '';
    });
  }
  return ids;
}
