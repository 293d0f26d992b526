import { textSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { integerProblems } from '../block-options/option-checks.ts';
import { isBlank } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { TEXT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { isLongerThan, MAX_TEXT_CHARACTERS } from '../texts/characters.ts';
import { visibleText } from '../texts/visible-text.ts';
import { characterLimit } from './text.ts';

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/**
 * HTML, stored as the sanitiser leaves it. `max_char_limit` counts visible text, not markup. Markup without text, such as an
 * editor's `<p><br></p>`, is no answer: pictures are not kept, so it would show nothing.
 */
export const richTextRules: AnswerRules = {
  name: 'rich_text',
  kind: 'input',
  compile: compileRichText,
  isEmpty: isBlank,
};

export const richTextType: FieldType = {
  ...richTextRules,
  checkOptions: (property) => integerProblems(property, 'max_char_limit', 1),
  toText: textOf,
  csvKind: 'text',
  answerSchema: () => ({ ...textSchema(), description: 'HTML, sanitised.' }),
  operators: TEXT_OPERATORS,
};

function compileRichText(property: Property, { engines, messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const limit = characterLimit(property);
  return (answer, report) => {
    if (typeof answer !== 'string') {
      report(messages.validText(name));
      return answer;
    }
    if (isLongerThan(answer, MAX_TEXT_CHARACTERS)) {
      report(messages.maxCharacters(name, MAX_TEXT_CHARACTERS));
      return answer;
    }
    const html = engines.sanitiseHtml(answer);
    const text = visibleText(html);
    if (!VISIBLE.test(text)) return '';
    // escaping can make a text longer than sent, and the stored text must pass again when sent back
    if (isLongerThan(html, MAX_TEXT_CHARACTERS)) report(messages.maxCharacters(name, MAX_TEXT_CHARACTERS));
    else if (isLongerThan(text, limit)) report(messages.maxCharacters(name, limit));
    return html;
  };
}
