import { isOn, stringList } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';

/** Values by the names of parameters; lists stand for a parameter several times. */
export type Prefill = Readonly<Record<string, string | readonly string[]>>;

/** The link with its values; those that are empty are left out. */
export function prefilledLink(link: string, values: Prefill): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value].flat()) if (one !== '') parameters.append(name, one);
  }
  return parameters.size > 0 ? `${link}?${parameters}` : link;
}

/** The parameters of a field with what each of them is about: rows of a matrix and ends of a range have their own. */
export function parametersOf(question: Property): [name: string, label: string][] {
  const { id, name } = question;
  const type = canonicalTypeName(question.type);
  if (type === 'matrix')
    return stringList(question.rows).map((row, index) => [`${id}[${index}]`, `${name}: ${row}`]);
  if (type === 'date' && isOn(question.date_range))
    return [
      [`${id}[0]`, `${name}: from`],
      [`${id}[1]`, `${name}: to`],
    ];
  return [[id, name]];
}
