import { RE2JS, RE2Set } from 're2js';

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
const MAX_CACHED_PATTERNS = 500;
/** Of all of them together: a long one, of classes like `\pL`, takes 2 kB for each of its characters. */
const MAX_CACHED_CHARACTERS = 50_000;
/** Bytes that one of them may use to remember where texts led it; without a limit of its own it would take 8 MB. */
const MAX_MEMORY = 128 * 1024;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/g;

interface CompiledPattern {
  /** It alone: of a set the memory can be limited. */
  set: RE2Set;
  states: number;
}

/** Compiled patterns, null for those that do not compile; the one unused for longest leaves first. */
const patterns = new Map<string, CompiledPattern | null>();
let cachedCharacters = 0;

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
  if (cached !== undefined) forget(pattern);
  const compiled = cached === undefined ? compile(pattern) : cached;
  patterns.set(pattern, compiled);
  cachedCharacters += pattern.length;
  for (const oldest of patterns.keys()) {
    if (patterns.size <= MAX_CACHED_PATTERNS && cachedCharacters <= MAX_CACHED_CHARACTERS) break;
    forget(oldest);
  }
  return compiled;
}

function forget(pattern: string): void {
  patterns.delete(pattern);
  cachedCharacters -= pattern.length;
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
