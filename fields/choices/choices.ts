import { enumProblems, integerProblems } from '../block-options/option-checks.ts';
import { asNumber, isOn, isOneOf } from '../block-options/options.ts';
import type { FieldType, OptionProblem } from '../field-type.ts';
import { isJsonObject, ownMember, type Property } from '../property.ts';
import { isLongerThan } from '../texts/characters.ts';
import { SHUFFLES } from './shuffle.ts';

/** The flags of select and multi-select. */
export const CHOICE_FLAGS: readonly string[] = ['allow_creation', 'without_dropdown', 'shows_places_left'];

const IMAGE_MODES = ['text_and_image', 'image_only'];
const DISPLAY_MODES = ['text_only', ...IMAGE_MODES];
const IMAGE_SIZES = ['sm', 'md', 'lg'];
/** Characters of the name of an option with a limit on submissions. */
const MAX_LIMITED_NAME = 250;

/**
 * The names that a select or multi-select accepts; null if it accepts any text, having no options or `allow_creation`. Options
 * are `<type>.options` or `options`, each a plain string or `{name}`; an option's id is never an answer.
 */
export function choiceNames(property: Property, typeName: FieldType['name']): ReadonlySet<string> | null {
  if (isOn(property.allow_creation)) return null;
  const { length } = findOptions(property, typeName)?.options ?? [];
  return length === 0 ? null : new Set(optionNames(property, typeName));
}

/** One choice as a page shows it. */
export interface Choice {
  /** Its value as an answer. */
  name: string;
  /** Its name in the language of the page. */
  label: string;
  /** Address of its picture, or null. */
  image: string | null;
  /** Of several choices: whoever chooses it can choose nothing else. */
  isExclusive: boolean;
}

/** The options in the order of the form; empty when there are none. */
export function choicesOf(property: Property, typeName: FieldType['name']): Choice[] {
  return (findOptions(property, typeName)?.options ?? []).flatMap((option) => {
    const name = nameOf(option);
    if (name === null) return [];
    const { image, exclusive } = isJsonObject(option) ? option : {};
    return [
      {
        name,
        label: labelOf(property, name),
        image: typeof image === 'string' ? image : null,
        isExclusive: isOn(exclusive),
      },
    ];
  });
}

/** The name of an option, a row or a column in the language of the page; see translations.ts. */
export function labelOf({ labels }: Property, name: string): string {
  const label = isJsonObject(labels) ? ownMember(labels, name) : undefined;
  return typeof label === 'string' && label.trim() !== '' ? label : name;
}

/** Several of them, as messages and texts say them. */
export function labelsOf(property: Property, names: readonly string[]): string {
  return names.map((name) => labelOf(property, name)).join(', ');
}

/** Names of the options, in order. */
export function optionNames(property: Property, typeName: FieldType['name']): string[] {
  return (findOptions(property, typeName)?.options ?? []).flatMap((option) => nameOf(option) ?? []);
}

/** An option that only a limited number of submissions may choose. */
export interface LimitedOption {
  /** The option's id if it has one, so that the key stays the same when the option is renamed. */
  key: string;
  name: string;
  places: number;
}

/** The options with a limit; if two have the same name, the last counts. */
export function limitedOptions(property: Property, typeName: FieldType['name']): LimitedOption[] {
  const byName = new Map<string, LimitedOption>();
  const keys = new Set<string>();
  for (const option of findOptions(property, typeName)?.options ?? []) {
    const name = nameOf(option);
    const places = isJsonObject(option) ? asNumber(option.max_submissions_count) : undefined;
    if (name === null || places === undefined) continue;
    const id = isJsonObject(option) && typeof option.id === 'string' ? `id ${option.id}` : '';
    const key = id === '' || id.length > MAX_LIMITED_NAME || keys.has(id) ? `name ${name}` : id;
    keys.add(key);
    byName.set(name, { key, name, places });
  }
  return [...byName.values()];
}

/** The names of options that have an id, by their ids. */
export function optionNamesById(property: Property, typeName: FieldType['name']): Map<string, string> {
  const names = new Map<string, string>();
  for (const option of findOptions(property, typeName)?.options ?? []) {
    const name = nameOf(option);
    if (name !== null && isJsonObject(option) && typeof option.id === 'string') names.set(option.id, name);
  }
  return names;
}

/** Problems with how the options are displayed. */
export function displayProblems(property: Property): OptionProblem[] {
  return [
    ...enumProblems(property, 'option_display_mode', DISPLAY_MODES),
    ...enumProblems(property, 'option_image_size', IMAGE_SIZES),
    ...shuffleProblems(property),
  ];
}

export function shuffleProblems(property: Property): OptionProblem[] {
  return enumProblems(property, 'shuffle_options', ['none', ...SHUFFLES]);
}

/** Problems with the options of a form to be saved; absent options are fine. */
export function choiceProblems(property: Property, typeName: FieldType['name']): OptionProblem[] {
  const found = findOptions(property, typeName);
  if (found === null) return [];
  const { path, options } = found;
  if (options === null) return [{ path, message: `The ${path} field must be an array.` }];
  if (options.length === 0 && !isOn(property.allow_creation)) {
    return [{ path, message: 'At least one option is required.' }];
  }
  const needsImage = isOneOf(IMAGE_MODES, property.option_display_mode);
  return options.flatMap((option, index) => optionProblems(option, `${path}.${index}`, needsImage));
}

function optionProblems(option: unknown, path: string, needsImage: boolean): OptionProblem[] {
  const problems: OptionProblem[] = [];
  if (nameOf(option) === null)
    problems.push({ path: `${path}.name`, message: 'The option name is required.' });
  if (isJsonObject(option) && option.id !== undefined && (option.id === null || option.id === '')) {
    problems.push({ path: `${path}.id`, message: 'The option id is required.' });
  }
  if (needsImage && !(isJsonObject(option) && typeof option.image === 'string' && option.image !== '')) {
    problems.push({ path: `${path}.image`, message: 'The option image is required.' });
  }
  return [...problems, ...placesProblems(option, path)];
}

/** Problems with an option's limit; the database finds such an option by its name. */
function placesProblems(option: unknown, path: string): OptionProblem[] {
  if (!isJsonObject(option)) return [];
  const problems = integerProblems(option, 'max_submissions_count', 0);
  const isLimited = problems.length === 0 && asNumber(option.max_submissions_count) !== undefined;
  if (isLimited && isLongerThan(String(option.name), MAX_LIMITED_NAME))
    problems.push({
      path: 'max_submissions_count',
      message: `The name of an option with a limit may not be greater than ${MAX_LIMITED_NAME} characters.`,
    });
  return problems.map((problem) => ({ ...problem, path: `${path}.${problem.path}` }));
}

/** Paths of the options' limits. */
export function limitPaths(property: Property, typeName: string): string[] {
  const { path, options } = findOptions(property, typeName) ?? { options: null };
  return (options ?? []).flatMap((option, index) =>
    isJsonObject(option) && asNumber(option.max_submissions_count) !== undefined
      ? `${path}.${index}.max_submissions_count`
      : [],
  );
}

/** The options and their path; `options` is null if they are not a list. */
export function findOptions(
  property: Property,
  typeName: string,
): { path: string; options: unknown[] | null } | null {
  const own = property[typeName];
  if (isJsonObject(own) && own.options !== undefined && own.options !== null) {
    return { path: `${typeName}.options`, options: asList(own.options) };
  }
  if (property.options === undefined || property.options === null) return null;
  return { path: 'options', options: asList(property.options) };
}

function asList(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}

function nameOf(option: unknown): string | null {
  const name = isJsonObject(option) ? option.name : option;
  return typeof name === 'string' && name !== '' ? name : null;
}
