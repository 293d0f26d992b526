import sanitizeHtml from 'sanitize-html';
import { compileMask } from './block-options/input-mask.ts';
import { isValidPattern, matchesPattern } from './engines/patterns.ts';
import { parsePhone } from './engines/phone.ts';
import type { FieldEngines } from './engines.ts';
import { fieldTypeOf } from './field-types.ts';
import { readingWords } from './formulas/reading-words.ts';
import { type ComputedValues, type ComputedVariable, compileVariables } from './formulas/variables.ts';
import { COMMON_OPERATORS, operatorIn } from './logic/operators.ts';
import { RARE_OPERATORS } from './logic/rare-operators.ts';
import { formulaSteps, patternSteps, remembering } from './logic/shared-work.ts';
import type { Property } from './property.ts';
import { escapeText } from './texts/escape-html.ts';
import { compileMentions } from './texts/mentions.ts';

const MAX_PASSES = 8;
const MAX_HTML = 100_000; // characters
const MAX_TAGS = 2_000; // with more tags all become text, because the parser's time grows with the square
const MAX_NESTED_TAGS = 32; // deeper tags are dropped, their text stays
const SAFE_STYLE = /^[\w\s#%.,()-]{1,100}$/;

const HTML_RULES: sanitizeHtml.IOptions = {
  allowedTags: ['h1', 'h2', 'b', 'u', 'strong', 'i', 'em', 'a', 'ul', 'ol', 'li', 'p', 'br', 'span'],
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    // an author's mention of another field's answer
    span: ['mention', 'mention-field-id', 'mention-field-name', 'mention-fallback'],
    '*': ['style'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: MAX_NESTED_TAGS,
  allowedStyles: {
    '*': {
      color: [SAFE_STYLE],
      'background-color': [SAFE_STYLE],
      'text-align': [/^(?:left|right|center|justify)$/],
      'font-weight': [/^(?:bold|normal|[1-9]00)$/],
      'font-style': [/^(?:italic|normal)$/],
      'text-decoration': [/^(?:underline|line-through|none)$/],
    },
  },
  // a page opened from an answer must not reach back into the page that showed it
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
};

/** The engines of the server: sanitize-html, RE2 (linear time) and libphonenumber. */
export const serverEngines: FieldEngines = {
  rulesOf: fieldTypeOf,
  operatorOf(type, name) {
    const operator = operatorIn(RARE_OPERATORS, type, name) ?? operatorIn(COMMON_OPERATORS, type, name);
    return operator && remembering(operator);
  },
  compileMentions,
  compileVariables: variablesOf,
  compileMask,
  sanitiseHtml,
  matchesPattern: (pattern, text) => matchesPattern(pattern, text, patternSteps()),
  isValidPattern,
  parsePhone,
};

/** Variables by the form's list: the form is compiled once per language, but its formulas are the same in all. */
const knownVariables = new WeakMap<readonly ComputedVariable[], ComputedValues>();

function variablesOf(
  variables: readonly ComputedVariable[],
  properties: readonly Property[],
): ComputedValues {
  const values =
    knownVariables.get(variables) ?? readingWords(compileVariables(variables, formulaSteps), properties);
  knownVariables.set(variables, values);
  return values;
}

/**
 * Repeated until nothing changes, because removing a tag can change how its neighbours nest. A result too long for a rich text
 * answer is refused by its field, so it needs no further pass.
 */
function sanitiseHtml(html: string): string {
  if (html.split('<', MAX_TAGS + 1).length > MAX_TAGS) return escapeText(html);
  let clean = sanitizeHtml(html, HTML_RULES);
  for (let pass = 1; pass < MAX_PASSES && clean.length <= MAX_HTML; pass += 1) {
    const cleaner = sanitizeHtml(clean, HTML_RULES);
    if (cleaner === clean) break;
    clean = cleaner;
  }
  return clean;
}
