/**
 * Answers in the order of the form's questions, since the database keeps its own order. Answers to unknown questions come last.
 * @param ids of the questions
 */
export function inOrder<Answer>(
  answers: Record<string, Answer>,
  ids: Iterable<string>,
): [id: string, answer: Answer][] {
  const places = new Map(Array.from(ids, (id, place) => [id, place]));
  const placeOf = (id: string) => places.get(id) ?? places.size;
  return Object.entries(answers).toSorted(([one], [other]) => placeOf(one) - placeOf(other));
}
