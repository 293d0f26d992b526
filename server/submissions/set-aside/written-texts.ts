import { isNeverShown } from '../../../fields/logic/shown.ts';
import { type Answers, isJsonObject, ownMember, type Property } from '../../../fields/property.ts';
import { questionsOf } from '../../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';

/** What the respondent wrote in fields for any text, those of repeated questions too; not what the form filled in. */
export function* writtenTexts(properties: readonly Property[], answers: Answers): Generator<string> {
  for (const property of properties) {
    const answer = ownMember(answers, property.id);
    const type = canonicalTypeName(property.type);
    if (isNeverShown(property)) continue;
    if (type === 'repeat' && Array.isArray(answer)) {
      const questions = questionsOf(property);
      for (const entry of answer) if (isJsonObject(entry)) yield* writtenTexts(questions, entry as Answers);
    }
    const isText = (type === 'text' || type === 'rich_text') && typeof answer === 'string';
    if (isText && answer !== '' && answer !== property.prefill) yield answer;
  }
}
