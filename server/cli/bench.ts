import { FIGURE_NAMES, type Settings } from '../bench/figure.ts';
import { scratchDirectory } from '../bench/machine.ts';
import { runBench } from '../bench/run-bench.ts';
import { printReport } from '../bench/table.ts';
import { type CommandIo, UsageError } from './command.ts';
import { readOptions } from './options.ts';
import { inPlainWords } from './plain-words.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.bench.usage;
const OPTIONS = {
  only: { type: 'string' },
  rounds: { type: 'string' },
  full: { type: 'boolean' },
  json: { type: 'boolean' },
  dir: { type: 'string' },
  'database-url': { type: 'string' },
  // For a quick check that it works: the figures of such a run mean nothing.
  seconds: { type: 'string' },
  rows: { type: 'string' },
} as const;

const ROUNDS = 3;
const ROUND_SECONDS = 0.7;
const ROUND_SECONDS_IN_FULL = 1;
const ROWS = 50_000;
const ROWS_IN_FULL = 1_000_000;
const DELIVERIES = 10_000;
const DELIVERIES_IN_FULL = 100_000;
const MAX_ROUNDS = 100;
const MAX_SECONDS = 60;

/** Measures this machine with a separate installation, which it removes afterwards. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const rows = numberOption(values.rows, values.full ? ROWS_IN_FULL : ROWS, 'rows', ROWS_IN_FULL);
  const roundSeconds = values.full ? ROUND_SECONDS_IN_FULL : ROUND_SECONDS;
  const settings: Settings = {
    only: figureNames(values.only),
    rounds: Math.ceil(numberOption(values.rounds, ROUNDS, 'rounds', MAX_ROUNDS)),
    seconds: numberOption(values.seconds, roundSeconds, 'seconds', MAX_SECONDS),
    rows: Math.ceil(rows),
    deliveries: Math.min(values.full ? DELIVERIES_IN_FULL : DELIVERIES, Math.ceil(rows)),
  };
  const place = {
    directory: values.dir ?? (await scratchDirectory()),
    databaseUrl: values['database-url'] ?? null,
  };
  try {
    const report = await runBench(settings, place, (line) => io.err(`… ${line}`));
    if (values.json) io.out(JSON.stringify(report, null, 2));
    else for (const line of printReport(report)) io.out(line);
    return 0;
  } catch (error) {
    throw inPlainWords(error);
  }
}

function figureNames(text: string | undefined): Settings['only'] {
  if (text === undefined) return [...FIGURE_NAMES];
  const names = text.split(',').map((name) => name.trim());
  const known = FIGURE_NAMES.filter((name) => names.includes(name));
  if (known.length !== new Set(names).size) throw new UsageError(`Usage: formstead ${USAGE}`);
  return known;
}

function numberOption(text: string | undefined, fallback: number, name: string, max: number): number {
  const number = text === undefined ? fallback : Number(text);
  if (number > 0 && number <= max) return number;
  throw new UsageError(`--${name} must be a number above 0 and at most ${max}.`);
}
