import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { isVisible } from '../../fields/texts/visible.ts';
import { ABILITIES, type Ability } from '../access/abilities.ts';
import { parseEmail } from '../accounts/email.ts';
import { UsageError } from './command.ts';

/** The limit that the database sets for names. */
const TEXT_MAX_LENGTH = 255;

/**
 * Reads the options of a command and its `wordCount` other words; the count may be unlimited.
 * @throws UsageError with `usage` for other arguments
 */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  usage: string,
  wordCount: number | 'some' = 0,
) {
  const read = parse(args, options, usage);
  const [name] = Object.entries(read.values).find(([, value]) => value === '') ?? [];
  // From a shell variable that is not set.
  if (name !== undefined) throw new UsageError(`--${name} is empty.\nUsage: formstead ${usage}`);
  const { length } = read.positionals;
  if (wordCount === 'some' ? length === 0 : length !== wordCount)
    throw new UsageError(`Usage: formstead ${usage}`);
  return read;
}

function parse<Options extends ParseArgsOptionsConfig>(args: string[], options: Options, usage: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(`${problemOf(error as NodeJS.ErrnoException)}\nUsage: formstead ${usage}`);
  }
}

/** The messages of Node explain its own syntax, over several lines. */
function problemOf({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(?:-\w, )?(-[^\s'=]+)/.exec(message)?.[1];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}.`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  if (message.includes('does not take')) return `${option} takes no value.`;
  return `${option} needs a value; one that begins with a dash follows a "=".`;
}

/** The text of a required option. */
export function required(
  value: string | undefined,
  name: string,
  usage: string,
  maxLength = TEXT_MAX_LENGTH,
): string {
  const text = value?.trim() ?? '';
  if (!isVisible(text)) throw new UsageError(`--${name} is missing.\nUsage: formstead ${usage}`);
  if ([...text].length > maxLength) throw new UsageError(`--${name} is longer than ${maxLength} characters.`);
  return text;
}

export function requiredEmail(value: string | undefined, usage: string, name = 'email'): string {
  const email = parseEmail(required(value, name, usage));
  if (email === null) throw new UsageError(`--${name} is not an e-mail address.`);
  return email;
}

/** Reads `a,b,c`, each an ability. */
export function abilityList(text: string): Ability[] {
  const names = text.split(',').map((name) => name.trim());
  const abilities = ABILITIES.filter((ability) => names.includes(ability));
  if (!names.every((name) => ABILITIES.some((ability) => ability === name)))
    throw new UsageError(`--abilities takes a list of ${ABILITIES.join(',')}`);
  return abilities;
}
