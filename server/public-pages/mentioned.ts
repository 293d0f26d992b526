import type { ComputedValues } from '../../fields/formulas/variables.ts';
import { html } from '../../fields/html/html.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { replaceMentions } from '../../fields/mentions.ts';
import type { Answers, JsonValue, Property } from '../../fields/property.ts';
import { type Speech, sayAnswers } from '../../fields/said-answers.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { askTogether } from '../../fields/shared-work.ts';
import type { Shown } from '../../fields/shown.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { sanitiseHtml } from './sanitise.ts';

/** Says what the texts of a form mention, in its language. */
export function sayingAnswers(
  { properties, presentation, compiled }: PublishedForm,
  given: { answers: Answers } & Partial<Shown>,
): ReturnType<typeof sayAnswers> {
  const { code: language, page } = languageFor(presentation.language);
  const speech: Speech = { language, yes: page.yes, no: page.no, sanitiseHtml: serverEngines.sanitiseHtml };
  const computed = workingOut(compiled.variables, given.read ?? given.answers);
  return sayAnswers(properties, { ...given, computed }, speech);
}

/** Works out all variables as soon as one is asked for: what they cost together has an end. */
function workingOut(variables: ComputedValues, answers: Answers): (id: string) => JsonValue | undefined {
  let values: Map<string, JsonValue> | null = null;
  return (wanted) => {
    if (!variables.has(wanted)) return undefined;
    values ??= askTogether(() => new Map([...variables].map(([id, valueFor]) => [id, valueFor(answers)])));
    return values.get(wanted);
  };
}

/**
 * An owner's text as safe markup, with the answers it mentions in elements that the script keeps up to date. Filled in
 * behind the sanitiser, which leaves no angle bracket but those of tags: an answer is text and stays that.
 */
export function textWithAnswers(text: string, say: ReturnType<typeof sayAnswers>): string {
  return replaceMentions(
    sanitiseHtml(text),
    ({ fieldId, fallback }) =>
      html`<span data-mention="${fieldId}" data-fallback="${fallback}">${say(fieldId, fallback)}</span>`
        .markup,
  );
}

/** Ids of what the texts of a page mention, whether there are such fields or not. */
export function mentionedIds(properties: readonly Property[]): Set<string> {
  const ids = new Set<string>();
  for (const text of properties.flatMap(({ content, help }) => [content, help])) {
    if (typeof text !== 'string' || !text.includes('mention-field-id')) continue;
    replaceMentions(sanitiseHtml(text), ({ fieldId }) => {
      ids.add(fieldId);
      return '';
    });
  }
  return ids;
}
