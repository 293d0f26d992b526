import { isBlank } from '../../../fields/block-options/options.ts';
import { withoutUnmendable } from '../../../fields/former-answers/unmendable.ts';
import { isNeverShown } from '../../../fields/logic/shown.ts';
import { type Answers, emptyAnswers, ownMember, type Property } from '../../../fields/property.ts';
import { isLayoutBlock } from '../../../fields/type-names.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';

/**
 * The stored answers as the source of a page may hold them: without those of fields that nobody is shown, in which members may note
 * what respondents are not to read; unless something on the page depends on them.
 */
export function withoutUnshown(form: PublishedForm, stored: Answers): Answers {
  const unshown = unshownFields(form).filter(({ id }) => Object.hasOwn(stored, id));
  if (unshown.length === 0) return stored;
  const told = textOfPage(form);
  const answers = Object.assign(emptyAnswers(), stored);
  for (const { id } of unshown) if (!told.includes(id)) delete answers[id];
  return answers;
}

/**
 * What a page sends, without what nobody could mend on it, and with the stored answers that it did not hold: nobody can have meant to
 * remove them.
 * @param stored null where nothing that was stored is edited
 */
export function withUnshown(form: PublishedForm, sent: Answers, stored: Answers | null): Answers {
  const taken = withoutUnmendable(form.compiled.fields, sent);
  if (stored === null) return taken;
  const answers = Object.assign(emptyAnswers(), taken);
  for (const { id } of unshownFields(form)) {
    const [answer, former] = [ownMember(taken, id), ownMember(stored, id)];
    // A box without an input counts as not ticked.
    if ((answer === undefined || answer === false) && former !== undefined && !isBlank(former))
      answers[id] = former;
  }
  return answers;
}

function unshownFields({ properties }: PublishedForm): Property[] {
  return properties.filter((property) => isNeverShown(property) && !isLayoutBlock(property.type));
}

/** All that the page is made from, in which blocks are named by their ids; without their own, and their names, which may be the same. */
function textOfPage({ properties, presentation }: PublishedForm): string {
  const blocks = properties.map(({ id: _id, name: _name, ...block }) => block);
  return JSON.stringify([blocks, presentation.computed_variables]);
}
