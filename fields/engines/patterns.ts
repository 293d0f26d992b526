import { RE2JS } from 're2js';

const MAX_PATTERN = 1000; // characters
const MAX_MATCHED_TEXT = 100_000; // characters
/** Counted repeats unroll, `a{1000}` into 1000 states: the sum of the counts times the pattern's length. */
const MAX_UNROLLED = 20_000;
/** States times characters of one match: linear time still means some 100 ms here. */
const MAX_MATCH_STEPS = 10_000_000;
const MAX_CACHED_PATTERNS = 500;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/g;

/** Compiled patterns, null for those that do not compile; the one unused for longest leaves first. */
const patterns = new Map<string, RE2JS | null>();

/** RE2's linear-time match, anywhere in the text; false for what does not compile or would take too long. */
export function matchesPattern(pattern: string, text: string): boolean {
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

export function isValidPattern(pattern: string): boolean {
  return compiledPattern(pattern) !== null;
}
