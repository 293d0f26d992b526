import { type Answers, isJsonObject, type JsonValue, ownMember, type Property } from '../property.ts';
import { optionNames } from './choices.ts';

/** The options of a ranking, each once: two with the same name would be the same answer. */
export function rankedNames(property: Property): string[] {
  return [...new Set(optionNames(property, 'ranking'))];
}

/** The rank of each name in an answer, which is a complete order of them, or ranks by name. '' for a name without. */
export function placesIn(names: readonly string[], answer: JsonValue | undefined): string[] {
  if (isJsonObject(answer)) return names.map((name) => String(ownMember(answer as Answers, name) ?? ''));
  const order = Array.isArray(answer) && answer.length === names.length ? answer : [];
  const isWhole = names.every((name) => order.includes(name));
  return names.map((name) => (isWhole ? `${order.indexOf(name) + 1}` : ''));
}

/** The options with their rank in an answer, and their number in a post. */
export function rankedOptions(
  property: Property,
  answer: JsonValue | undefined,
): { name: string; number: number; place: string }[] {
  const all = optionNames(property, 'ranking');
  const names = rankedNames(property);
  const places = placesIn(names, answer);
  return names.map((name, index) => ({ name, number: all.indexOf(name), place: places[index] ?? '' }));
}

/** The names in the order of their ranks, or null if the ranks make no order. */
export function orderOf(names: readonly string[], places: readonly string[]): string[] | null {
  const order = names.flatMap((_, index) => names[places.indexOf(`${index + 1}`)] ?? []);
  return order.length === names.length ? order : null;
}
