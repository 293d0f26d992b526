import { RE2JS, RE2Set } from 're2js';
import { SizedCache } from '../sized-cache.ts';

/** What patterns may still cost, in steps: states of a pattern times characters. */
export interface PatternSteps {
  left: number;
}

/** One pattern alone, or all that are asked together: linear time still means some 200 ms here. */
export const MAX_PATTERN_STEPS = 10_000_000;

const MAX_PATTERN = 1000; // characters
const MAX_MATCHED_TEXT = 100_000; // characters
/** Counted repeats unroll, `a{1000}` into 1000 states: the sum of the counts times the pattern's length. */
const MAX_UNROLLED = 20_000;
/** Characters of all compiled patterns: a long one, of classes like `\pL`, takes 2 kB for each of them. */
const MAX_CACHED = 50_000;
/** What even a short one takes, in the same: 500 of them are kept at most. */
const LEAST_CACHED = 100;
/** Bytes that one of them may use to remember where texts led it; without a limit of its own it would take 8 MB. */
const MAX_MEMORY = 128 * 1024;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/g;

interface CompiledPattern {
  /** It alone: of a set the memory can be limited. */
  set: RE2Set;
  states: number;
}

/** Compiled patterns, null for those that do not compile. */
const patterns = new SizedCache<string, CompiledPattern | null>(MAX_CACHED);

/** RE2's linear-time match, anywhere in the text; false for what does not compile or would take too long. */
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
