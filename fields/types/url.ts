import { textSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { integerProblems } from '../block-options/option-checks.ts';
import { isBlank } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { TEXT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { isLongerThan } from '../texts/characters.ts';
import { characterLimit } from './text.ts';

const SCHEME = /^https?:\/\//i;
/** Longest host name in characters (RFC 1035, section 2.3.4). */
const MAX_HOST = 253;
const HOST = /^[\p{L}\p{M}\p{N}_.-]+$/u;
/** Browsers copy `рф` as `xn--p1ai`. */
const LAST_LABEL = /^[\p{L}\p{M}\p{N}_]+(-+[\p{L}\p{M}\p{N}_]+)*$/u;
const PORT = /^\d{1,5}$/;

/** A web address whose `http://` or `https://` may be left out; any other scheme is refused. */
export const urlRules: AnswerRules = {
  name: 'url',
  kind: 'input',
  compile: compileUrl,
  isEmpty: isBlank,
};

export const urlType: FieldType = {
  ...urlRules,
  checkOptions: (property) => integerProblems(property, 'max_char_limit', 1),
  toText: textOf,
  csvKind: 'text',
  answerSchema: (property) => ({
    ...textSchema(characterLimit(property)),
    pattern: '^[^\\s]+\\.[^\\s]+$',
    description: 'A web address; `http://` or `https://` may be missing.',
  }),
  operators: TEXT_OPERATORS,
};

/** A host with a dot, an optional port, then anything without white space after `/`, `?` or `#`. Linear time. */
function isWebAddress(text: string): boolean {
  const address = text.replace(SCHEME, '');
  const tailAt = address.search(/[/?#]/);
  const authority = tailAt < 0 ? address : address.slice(0, tailAt);
  if (tailAt >= 0 && /[\s\p{Cc}]/u.test(address.slice(tailAt))) return false;
  const colonAt = authority.indexOf(':');
  const host = colonAt < 0 ? authority : authority.slice(0, colonAt);
  if (colonAt >= 0 && !PORT.test(authority.slice(colonAt + 1))) return false;
  const dotAt = host.lastIndexOf('.');
  return dotAt > 0 && host.length <= MAX_HOST && HOST.test(host) && LAST_LABEL.test(host.slice(dotAt + 1));
}

function compileUrl(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const limit = characterLimit(property);
  return (answer, report) => {
    if (typeof answer !== 'string' || !isWebAddress(answer)) report(messages.format(name));
    else if (isLongerThan(answer, limit)) report(messages.maxCharacters(name, limit));
    return answer;
  };
}
