import { ownMember } from '../../fields/property.ts';
import { type Difference, type Expected, NO_ENDING } from './schemas.ts';
import type { Trial } from './try-answers.ts';

/** Problems that are told of an unexpected refusal. */
const MAX_TOLD = 3;
/** Characters of a value that are told. */
const MAX_VALUE = 100;

/** Names of blocks, calculations and endings by their ids, also of those that the form no longer has. */
export type Names = ReadonlyMap<string, string>;

/** What differs between what was expected of answers and what came of them, in words; empty where nothing does. */
export function differencesOf(expected: Expected, trial: Trial, names: Names): Difference[] {
  return [
    ...outcomeDifferences(expected, trial, names),
    ...stateDifferences(expected, trial, names),
    ...computedDifferences(expected, trial, names),
    ...endingDifferences(expected, trial, names),
  ];
}

function outcomeDifferences(
  { outcome, errors }: Expected,
  { observed, states }: Trial,
  names: Names,
): Difference[] {
  const found = Object.keys(observed.errors);
  if (outcome !== observed.outcome) {
    const told = found.slice(0, MAX_TOLD).map((id) => observed.errors[id]?.[0]);
    const rest = found.length > MAX_TOLD ? ` And ${found.length - MAX_TOLD} more.` : '';
    const message =
      outcome === 'refused'
        ? 'The answers should be refused, but are accepted.'
        : `The answers should be accepted, but are refused: ${told.join(' ')}${rest}`;
    return [{ about: 'outcome', id: null, message }];
  }
  if (outcome === 'accepted' || errors.length === 0) return [];
  const about = 'errors' as const;
  return [
    ...errors
      .filter((id) => !found.includes(id))
      .map((id) => {
        const isGone = !states.has(id);
        const message = isGone
          ? gone(names, id)
          : `${quoted(names, id)} should have a problem, but has none.`;
        return { about, id, message };
      }),
    ...found
      .filter((id) => !errors.includes(id))
      .map((id) => ({
        about,
        id,
        message: `${quoted(names, id)} should have no problem, but has one: ${observed.errors[id]?.[0] ?? ''}`,
      })),
  ];
}

function stateDifferences(expected: Expected, { states }: Trial, names: Names): Difference[] {
  return (['shown', 'hidden'] as const).flatMap((about) =>
    expected[about].flatMap((id) => {
      const state = states.get(id);
      if (!state) return [{ about, id, message: gone(names, id) }];
      if (state.hidden === (about === 'hidden')) return [];
      const is = state.hidden ? 'hidden' : 'shown';
      return [{ about, id, message: `${quoted(names, id)} should be ${about}, but is ${is}.` }];
    }),
  );
}

function computedDifferences(expected: Expected, { observed }: Trial, names: Names): Difference[] {
  const about = 'computed' as const;
  return Object.entries(expected.computed).flatMap(([id, wanted]) => {
    const value = ownMember(observed.computed, id);
    if (value === undefined) return [{ about, id, message: gone(names, id) }];
    // A text that is empty and no value look the same to whoever expects them.
    if ((value ?? '') === (wanted ?? '')) return [];
    return [
      { about, id, message: `${quoted(names, id)} should be ${written(wanted)}, but is ${written(value)}.` },
    ];
  });
}

function endingDifferences({ outcome, ending }: Expected, { observed }: Trial, names: Names): Difference[] {
  const reached = observed.ending;
  if (outcome === 'refused' || ending === null || reached === null || reached === ending) return [];
  const wanted = endingName(names, ending);
  const message = `${wanted} should be reached, but ${endingName(names, reached)} is.`;
  return [{ about: 'ending', id: ending === NO_ENDING ? null : ending, message: capitalised(message) }];
}

function endingName(names: Names, id: string): string {
  return id === NO_ENDING ? 'the usual end of the form' : `the ending ${quoted(names, id)}`;
}

function gone(names: Names, id: string): string {
  return `${quoted(names, id)} is not in the form any more.`;
}

function quoted(names: Names, id: string): string {
  return `“${names.get(id) || id}”`;
}

function written(value: string | number | null): string {
  if (value === null) return 'empty';
  if (typeof value === 'number') return String(value);
  return `“${value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value}”`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
