import {
  type CountryCode,
  ParseError,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js';
import { RE2JS } from 're2js';
import sanitizeHtml from 'sanitize-html';
import type { FieldEngines, ParsedPhone, PhoneProblem } from './engines.ts';

const MAX_PATTERN = 1000; // characters
const MAX_MATCHED_TEXT = 100_000; // characters
const MAX_CACHED_PATTERNS = 500;
const MAX_PHONE = 64; // characters

const COUNTRY_LETTERS = /^[A-Za-z]{2}(?=[+\d(])/;
const SAFE_STYLE = /^[\w\s#%.,()-]{1,100}$/;

const HTML_RULES: sanitizeHtml.IOptions = {
  allowedTags: ['h1', 'h2', 'b', 'u', 'strong', 'i', 'em', 'a', 'ul', 'ol', 'li', 'p', 'br', 'span'],
  allowedAttributes: { a: ['href', 'target', 'rel'], '*': ['style'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
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
  sanitiseHtml: (html) => sanitizeHtml(html, HTML_RULES),
  matchesPattern,
  isValidPattern: (pattern) => compiledPattern(pattern) !== null,
  parsePhone,
};

/** Compiled patterns, null for those that do not compile; the one unused for longest leaves first. */
const patterns = new Map<string, RE2JS | null>();

function matchesPattern(pattern: string, text: string): boolean {
  if (text.length > MAX_MATCHED_TEXT) return false;
  return compiledPattern(pattern)?.matcher(text).find() ?? false;
}

function compiledPattern(pattern: string): RE2JS | null {
  if (pattern.length > MAX_PATTERN) return null;
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
    const lengthProblem = validatePhoneNumberLength(number.number);
    if (lengthProblem !== undefined) return { problem: problemOf(lengthProblem) };
    if (number.ext !== undefined || !number.isPossible()) return { problem: 'invalid' };
    return { e164: number.number, ...(number.country && { country: number.country }) };
  } catch (error) {
    return { problem: error instanceof ParseError ? problemOf(error.message) : 'invalid' };
  }
}

function problemOf(reason: string): PhoneProblem {
  if (reason === 'TOO_SHORT') return 'too_short';
  if (reason === 'TOO_LONG') return 'too_long';
  return reason === 'INVALID_COUNTRY' ? 'invalid_country' : 'invalid';
}
