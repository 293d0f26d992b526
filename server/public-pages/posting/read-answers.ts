import { typedNumber } from '../../../fields/as-text/typed-number.ts';
import { readEntries } from '../../../fields/html/read-entries.ts';
import { type Posted, readPost, withPlainBreaks } from '../../../fields/html/read-post.ts';
import { asMarkupName, typedMarkup } from '../../../fields/html/typed-markup.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Answers, Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inOwnLanguage } from '../page/page-language.ts';
import { formerInputs } from './former-inputs.ts';
import { type PostedBody, postedValues } from './posted-body.ts';

/** All posted answers by field id; other sites may use the fields' names instead. */
export function readAnswers({
  form,
  body,
  isOwnPage,
  posted = postedValues(body, isOwnPage),
  isByScript,
}: {
  form: PublishedForm;
  body: PostedBody;
  isOwnPage: boolean;
  /** The same body, where its names have been looked up before. */
  posted?: Posted;
  isByScript: boolean;
}): Answers {
  const { code } = languageFor(form.presentation.language);
  const { properties } = isOwnPage ? form : inOwnLanguage(form);
  const answers = readPost(properties, posted, {
    isComplete: isOwnPage,
    readEntries,
    ...(isOwnPage
      ? {
          typedNumber: (typed: string) => typedNumber(typed, code),
          readFormer: formerInputs(body, properties),
        }
      : { otherName: ({ name }: Property) => name, hasEmptyBoxes: true }),
  });
  if (!isByScript) markUp(properties, answers, posted);
  return answers;
}

/** Turns rich text typed into a plain textarea into markup, but not what the page itself filled in. */
function markUp(properties: readonly Property[], answers: Answers, posted: Posted): void {
  for (const { id, type } of properties) {
    const answer = answers[id];
    if (canonicalTypeName(type) !== 'rich_text' || typeof answer !== 'string') continue;
    const isMarkup = posted.getAll(asMarkupName(id)).some((text) => withPlainBreaks(String(text)) === answer);
    if (!isMarkup) answers[id] = typedMarkup(answer);
  }
}
