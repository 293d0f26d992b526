import { dayOf, parseDate } from '../as-text/dates.ts';
import { isOn } from '../block-options/options.ts';
import { type Answers, type JsonValue, ownMember, type Property } from '../property.ts';
import { entriesOf, questionsOf } from '../repeated-questions.ts';
import { canonicalTypeName } from '../type-names.ts';

/**
 * The blocks as they apply to a change of these stored answers. A day that was allowed when it was given may be past by now: as long
 * as it stays, it does not hinder whoever corrects another answer. Null when there is no such day.
 * @param sent the answers that are to be stored instead; a field that is not among them keeps its day
 */
export function withoutPassedDays(
  properties: readonly Property[],
  stored: Answers,
  sent: Answers,
): Property[] | null {
  const today = dayOf(new Date());
  const after = properties.map((property) => {
    const before = ownMember(stored, property.id);
    if (before === undefined) return property;
    return relaxed(property, [before], [ownMember(sent, property.id) ?? before], today);
  });
  return after.some((property, index) => property !== properties[index]) ? after : null;
}

/** The field without its limits of past and future, if a day among the former answers is beyond them and no other day was sent. */
function relaxed(
  property: Property,
  before: readonly JsonValue[],
  sent: readonly JsonValue[],
  today: number,
): Property {
  const type = canonicalTypeName(property.type);
  if (type === 'repeat') return withRelaxedQuestions(property, before, sent, today);
  const { disable_past_dates: noPast, disable_future_dates: noFuture } = property;
  if (type !== 'date' || !(isOn(noPast) || isOn(noFuture))) return property;
  const known = new Set(before.flatMap(daysOf));
  const isBeyond = [...known].some(
    (day) => day !== null && ((isOn(noPast) && day < today) || (isOn(noFuture) && day > today)),
  );
  const isKept = isBeyond && sent.flatMap(daysOf).every((day) => known.has(day));
  return isKept ? { ...property, disable_past_dates: false, disable_future_dates: false } : property;
}

function withRelaxedQuestions(
  property: Property,
  before: readonly JsonValue[],
  sent: readonly JsonValue[],
  today: number,
): Property {
  const answersTo = ({ id }: Property, answers: readonly JsonValue[]) =>
    answers.flatMap((answer) => entriesOf(answer) ?? []).flatMap((entry) => ownMember(entry, id) ?? []);
  const asked = questionsOf(property);
  const questions = asked.map((question) =>
    relaxed(question, answersTo(question, before), answersTo(question, sent), today),
  );
  const isSame = questions.every((question, index) => question === asked[index]);
  return isSame ? property : { ...property, questions: questions as JsonValue[] };
}

/** The days of a date, or of both ends of a range; null for what is no date. */
function daysOf(answer: JsonValue): (number | null)[] {
  return [answer].flat().map((date) => (typeof date === 'string' ? (parseDate(date)?.day ?? null) : null));
}
