import { cpus, loadavg } from 'node:os';
import type { Outcome } from './outcome.ts';

/** What cannot be caused here, or is looked at elsewhere. */
const ELSEWHERE: [id: string, fault: string, where: string][] = [
  ['F36', 'A backup made under load, restored elsewhere', 'tested with the commands: `test/backup`'],
  ['F37', 'A row of another shape, edited by hand', 'not tried'],
  ['F38', 'A captcha service that is down or slow', '`test/spec/captcha-providers.test.ts`'],
  [
    'F14',
    'Deadlocks',
    'not caused; a statement that is called off is made anew (serializable isolation causes the same)',
  ],
  [
    '',
    'Loss of power',
    'needs a machine that can be switched off. Killing every process at once (F6) is not the same: what the kernel holds survives that. PostgreSQL runs with `fsync` and `synchronous_commit` on',
  ],
  [
    '',
    'A disk that lies about writing, or returns other bytes',
    'nothing above it can tell the first; not tried',
  ],
  [
    '',
    'Two machines that lose sight of each other, lost and delayed packets',
    'needs more than one network stack; cut, frozen and refused connections (F5 to F11, F40) come close',
  ],
];

/** What a run saw beside the figures. */
export interface Remarks {
  /** Tests that could not run here. */
  skipped: readonly { title: string; reason: string }[];
  /** Titles of tests that failed once and passed when they were run again. */
  repeated: readonly string[];
}

/** docs/faults.md with the figures of one run. */
export function faultsPage(outcomes: readonly Outcome[], { skipped, repeated }: Remarks, when: Date): string {
  const rows = [...outcomes].sort((a, b) => numberOf(a) - numberOf(b)).map(row);
  const sum = (member: 'acknowledged' | 'stored' | 'delivered' | 'lost') =>
    outcomes.reduce((total, outcome) => total + (outcome[member] ?? 0), 0);
  const machine = `${cpus().length} cores, ${process.platform} ${process.arch}`;
  return `# Faults

What was done to Formstead, and what became of the answers. Every line is a test that drives load with known answers and
known Idempotency-Keys through the front door, causes the fault in real processes, lets it pass, and then compares five
books: what clients were told, what the database holds, what the receiver got, what the export says, and what is told to
clients that ask again.

- Acknowledged ⊆ stored, with the same text. Nothing stored twice, nothing that nobody sent, counters exact.
- Every stored answer is delivered, under one \`webhook-id\`, with the same bytes at every attempt and signatures that verify.
- The export is what is stored. A key that was acknowledged gets its first \`submission_id\` again.
- While the fault lasts: 200, or 503 with \`Retry-After\`, in time. No other status, no hang.

\`npm run test:faults\` runs them all (some fifteen minutes, Linux; as root also those that mount small disks, with Debian's Patroni also fail-overs, \`npm run test:failover\` alone), and
\`WRITE_FAULTS=1 npm run test:faults\` writes this page. A short selection is part of \`npm test\`.

## One run

${when.toISOString().slice(0, 10)}, ${machine}, load average ${loadavg()[2]?.toFixed(1)}. Together **${sum('acknowledged').toLocaleString('en')}
acknowledged, ${sum('lost').toLocaleString('en')} lost**. “Lost” counts what is acknowledged and not stored, stored and not exported, or stored and
neither delivered nor waiting. More may be stored than acknowledged: a client that did not hear the answer cannot know, which
is what \`Idempotency-Key\` is for. “Recovered in” is the time from the end of the fault to the next acknowledged submission (or
the end of the work that was held up), the longest of all rounds.

| | Fault | Acknowledged | Stored | Delivered | Lost | Recovered in | Seen |
|---|---|--:|--:|--:|--:|--:|---|
${rows.join('\n')}
${skipped.map(({ title, reason }) => `| | ${title} | | | | | | not run: ${reason} |\n`).join('')}
${repeated.length === 0 ? 'Every test passed at its first try.' : `These failed at first and passed when they were run again at once: ${repeated.map((title) => `“${title}”`).join(', ')}.`}

## Not among them

| | Fault | |
|---|---|---|
${ELSEWHERE.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}

function row({ id, fault, acknowledged, stored, delivered, lost, recoveredMs, seen = '' }: Outcome): string {
  const figures = [acknowledged, stored, delivered, lost].map((figure) => figure?.toLocaleString('en') ?? '');
  const recovered = recoveredMs === undefined ? '' : `${(recoveredMs / 1000).toFixed(1)} s`;
  return `| ${[id, fault, ...figures, recovered, seen].join(' | ')} |`;
}

function numberOf({ id }: Outcome): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0);
}
