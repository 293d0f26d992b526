import {
  type CountryCode,
  ParseError,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js';
import { RE2JS } from 're2js';
import sanitizeHtml from 'sanitize-html';
import type { FieldEngines, ParsedPhone, PhoneProblem } from './engines.ts';
import { fieldTypeOf } from './field-types.ts';

const MAX_PATTERN = 1000; // characters
const MAX_MATCHED_TEXT = 100_000; // characters
/** Counted repeats unroll, `a{1000}` into 1000 states: the sum of the counts times the pattern's length. */
const MAX_UNROLLED = 20_000;
/** States times characters of one match: linear time still means some 100 ms here. */
const MAX_MATCH_STEPS = 10_000_000;
const MAX_CACHED_PATTERNS = 500;
const MAX_PHONE = 64; // characters

const MAX_PASSES = 8;
const MAX_HTML = 100_000; // characters
const MAX_TAGS = 2_000; // with more, the parser's time grows with the square, so all become text
const MAX_NESTED_TAGS = 32; // deeper tags are dropped, their text stays
const REPEAT = /\{(\d+)(?:,(\d*))?\}/g;
const COUNTRY_LETTERS = /^[A-Za-z]{2}(?=[+\d(])/;
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
  sanitiseHtml,
  matchesPattern,
  isValidPattern: (pattern) => compiledPattern(pattern) !== null,
  parsePhone,
};

/**
 * Repeated until nothing changes: a tag that is taken out can change how its neighbours nest. A result that has
 * outgrown what a rich text answer may be is refused by its field and not worth another pass.
 */
function sanitiseHtml(html: string): string {
  if (html.split('<', MAX_TAGS + 1).length > MAX_TAGS) return escapeHtml(html);
  let clean = sanitizeHtml(html, HTML_RULES);
  for (let pass = 1; pass < MAX_PASSES && clean.length <= MAX_HTML; pass += 1) {
    const cleaner = sanitizeHtml(clean, HTML_RULES);
    if (cleaner === clean) break;
    clean = cleaner;
  }
  return clean;
}

/** The same characters as plain text. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Compiled patterns, null for those that do not compile; the one unused for longest leaves first. */
const patterns = new Map<string, RE2JS | null>();

function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MAX_MATCHED_TEXT) return false;
  const compiled = compiledPattern(pattern);
  if (compiled === null || compiled.programSize() * text.length > MAX_MATCH_STEPS) return false;
  return compiled.test(text);
}

function compiledPattern(pattern: string): RE2JS | null {
  if (pattern.length > MAX_PATTERN || unrolledSize(pattern) > MAX_UNROLLED) return null;
  let compiled = patterns.get(pattern);
  if (compiled !== undefined) patterns.delete(pattern);
  else compiled = compile(pattern);
  patterns.set(pattern, compiled);
  if (patterns.size > MAX_CACHED_PATTERNS) {
    for (const oldest of patterns.keys()) {
      patterns.delete(oldest);
      break;
    }
  }
  return compiled;
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

function unrolledSize(pattern: string): number {
  let repeats = 0;
  for (const [, from, to] of pattern.matchAll(REPEAT)) repeats += Number(to || from);
  return repeats * pattern.length;
}

/** Possible numbers pass, assigned or not: new ranges open faster than any copy of the numbering plan is updated. */
function parsePhone(text: string): ParsedPhone {
  if (text.length > MAX_PHONE) return { problem: 'too_long' };
  const letters = COUNTRY_LETTERS.exec(text)?.[0];
  const digits = letters === undefined ? text : text.slice(letters.length);
  try {
    const country = letters?.toUpperCase() as CountryCode | undefined; // the library checks it
    const number = parsePhoneNumberWithError(digits, {
      extract: false,
      ...(country && { defaultCountry: country }),
    });
    if (!number.isPossible()) return { problem: problemOf(validatePhoneNumberLength(number.number)) };
    if (number.ext !== undefined) return { problem: 'invalid' };
    return { e164: number.number, ...(number.country && { country: number.country }) };
  } catch (error) {
    return { problem: error instanceof ParseError ? problemOf(error.message) : 'invalid' };
  }
}

function problemOf(reason: string | undefined): PhoneProblem {
  if (reason === 'TOO_SHORT') return 'too_short';
  if (reason === 'TOO_LONG') return 'too_long';
  return reason === 'INVALID_COUNTRY' ? 'invalid_country' : 'invalid';
}
