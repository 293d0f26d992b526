import { isNeverAnswered } from '../../../fields/former-answers/unmendable.ts';
import { conditionalBreaks } from '../../../fields/logic/logic.ts';
import { isNeverShown } from '../../../fields/logic/shown.ts';
import { charges } from '../../../fields/payment.ts';
import type { Property } from '../../../fields/property.ts';
import { onlyMention } from '../../../fields/texts/mentions.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { numberRange } from '../../../fields/types/number.ts';
import { scaleSteps, sliderSteps } from '../../../fields/types/stepped.ts';
import type { Calculation } from '../../calculations/fields.ts';
import { namedIn } from '../../calculations/formula-names.ts';
import { listedQuestions } from '../blocks/questions.ts';
import { idsIn } from '../references.ts';

const DECIDING_ACTIONS: unknown[] = ['show-block', 'hide-block', 'enable-block', 'disable-block'];
const BELOW_ZERO =
  'The amount to pay depends on it, and it takes numbers below 0. Set “Lowest” to 0 or more.';
const OPEN =
  'The amount to pay depends on it, and anybody can set it by the address of the form. Put prices into a calculation.';

interface AmountProblem {
  blockId: string;
  text: string;
}

/** What lets visitors lower the amount that they have to pay, by the fields that it depends on. */
export function* amountProblems(
  properties: readonly Property[],
  calculations: readonly Calculation[],
): Generator<AmountProblem> {
  const payment = properties.find(charges);
  if (!payment) return;
  const formulas = new Map(calculations.map(({ id, formula }) => [id, formula]));
  const breakOf = conditionalBreaks(properties);
  const conditionsOf = (id: string) => {
    const block = properties.find((one) => one.id === id);
    return block ? idsIn([block, breakOf.get(id)].map((one) => one && showingConditions(one))) : [];
  };
  const named = onlyMention(payment.amount);
  const namedBy = (id: string) => namedIn(formulas.get(id) ?? '');
  const summands = reachable(named === null ? [] : [named], namedBy);
  const deciding = reachable([payment.id, ...summands], (id) => [
    ...namedBy(id),
    ...conditionsOf(id),
    ...repeatedBy(id, properties),
  ]);
  for (const block of properties) {
    if (summands.has(block.id) && lowestOf(block) < 0) yield { blockId: block.id, text: BELOW_ZERO };
    for (const [index, question] of listedQuestions(block).entries()) {
      if (summands.has(`${block.id}.${question.id}`) && lowestOf(question) < 0)
        yield { blockId: block.id, text: `Question ${index + 1}: ${BELOW_ZERO}` };
    }
    if (block === payment || !deciding.has(block.id)) continue;
    if (isNeverShown(block)) yield { blockId: block.id, text: `It is hidden. ${OPEN}` };
    else if (isNeverAnswered(block))
      yield { blockId: block.id, text: `It cannot be changed on the page. ${OPEN}` };
  }
}

/** These ids, and those that they lead to. */
function reachable(ids: readonly string[], next: (id: string) => Iterable<string>): Set<string> {
  const found = new Set(ids);
  // A set is walked with what is added on the way.
  for (const id of found) for (const other of next(id)) found.add(other);
  return found;
}

/** The field that repeats a question, by what formulas call its answers. */
function repeatedBy(id: string, properties: readonly Property[]): string[] {
  const isOf = (block: Property) =>
    listedQuestions(block).some((question) => id === `${block.id}.${question.id}`);
  return properties.filter(isOf).map((block) => block.id);
}

function lowestOf(field: Property): number {
  switch (canonicalTypeName(field.type)) {
    case 'number':
      return numberRange(field).min;
    case 'slider':
      return sliderSteps(field).min;
    case 'scale':
      return scaleSteps(field).min;
    default:
      return 0;
  }
}

/** The conditions on which a block is there, or can be answered; not those on which it has to be. */
function showingConditions({ logic }: Property) {
  return (logic?.actions ?? []).some((action) => DECIDING_ACTIONS.includes(action)) && logic?.conditions;
}
