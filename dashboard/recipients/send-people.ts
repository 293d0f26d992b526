import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { MOST_PER_CALL } from './queries.ts';
import type { Person } from './read-people.ts';

/** The people added so far. */
export interface Added {
  people: readonly Person[];
  /** Number of those who were not on the list before. */
  count: number;
  already: number;
}

export const NOBODY_YET: Added = { people: [], count: 0, already: 0 };

/** Bytes per call; the service accepts 1 MiB. */
const MOST_BYTES = 900_000;

/**
 * Adds people, as many per call as allowed.
 * @yields all people added so far, after each call
 */
export async function* sendPeople(
  { id }: Pick<Form, 'id'>,
  people: readonly Person[],
  before: Added,
): AsyncGenerator<Added> {
  let soFar = before;
  for (const recipients of callsOf(people)) {
    const path = { form: String(id) };
    const answer = await api.post('/open/forms/{form}/recipients', { path, body: { recipients } });
    soFar = {
      people: [...soFar.people, ...recipients],
      count: soFar.count + answer.added,
      already: soFar.already + answer.already_there,
    };
    yield soFar;
  }
}

function callsOf(people: readonly Person[]): Person[][] {
  const calls: Person[][] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const person of people) {
    const size = encoder.encode(JSON.stringify(person)).length + 1;
    const last = calls.at(-1);
    if (last && last.length < MOST_PER_CALL && bytes + size <= MOST_BYTES) {
      last.push(person);
      bytes += size;
    } else {
      calls.push([person]);
      bytes = size;
    }
  }
  return calls;
}

/** The people who are not among the others; equal ones are counted, not merged. */
export function without(people: readonly Person[], others: readonly Person[]): readonly Person[] {
  if (others.length === 0) return people;
  const counts = new Map<string, number>();
  for (const other of others) {
    const key = JSON.stringify(other);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return people.filter((person) => {
    const key = JSON.stringify(person);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}
