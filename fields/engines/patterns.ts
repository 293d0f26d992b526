import { RE2JS, RE2Set } from 're2js';
import { SizedCache } from '../sized-cache.ts';

/** Steps that patterns may still take; a step is one state of a pattern times one character. */
export interface PatternSteps {
  left: number;
}

/** Limit for one pattern alone, or for all that are evaluated together; even in linear time this takes some 200 ms. */
export const MAX_PATTERN_STEPS = 10_000_000;

const MAX_PATTERN = 1000; // characters
const MAX_MATCHED_TEXT = 100_000; // characters
/** Counted repeats are unrolled (`a{1000}` into 1000 states), so this limits the sum of the counts times the pattern's length. */
const MAX_UNROLLED = 20_000;
/** Total characters of cached patterns; each may take 2 kB in a pattern of classes such as `\pL`. */
const MAX_CACHED = 50_000;
/** Characters that even a short pattern counts for, so that at most 500 are cached. */
const LEAST_CACHED = 100;
/** Bytes for one pattern's cache of states; by default it would be 8 MB. */
const MAX_MEMORY = 128 * 1024;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/g;

interface CompiledPattern {
  /** A set of one pattern, because only sets have a memory limit. */
  set: RE2Set;
  states: number;
}

/** Compiled patterns; null for those that do not compile. */
const patterns = new SizedCache<string, CompiledPattern | null>(MAX_CACHED);

/** RE2's linear-time match anywhere in the text; false if the pattern does not compile or would take too long. */
export function matchesPattern(
  pattern: string,
  text: string,
  steps: PatternSteps = { left: MAX_PATTERN_STEPS },
): boolean {
  if (text.length > MAX_MATCHED_TEXT) return false;
  const compiled = compiledPattern(pattern);
  if (compiled === null) return false;
  const cost = compiled.states * text.length;
  if (cost > steps.left) return false;
  steps.left -= cost;
  return compiled.set.match(text).length > 0;
}

function compiledPattern(pattern: string): CompiledPattern | null {
  if (pattern.length > MAX_PATTERN || unrolledSize(pattern) > MAX_UNROLLED) return null;
  const cached = patterns.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = compile(pattern);
  patterns.set(pattern, compiled, Math.max(LEAST_CACHED, pattern.length));
  return compiled;
}

function compile(pattern: string): CompiledPattern | null {
  try {
    const states = RE2JS.compile(pattern).programSize();
    const set = new RE2Set(RE2Set.UNANCHORED, 0, MAX_MEMORY);
    set.add(pattern);
    return { set, states };
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
