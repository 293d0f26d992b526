import { cpus, loadavg } from 'node:os';
import type { Outcome } from './outcome.ts';

/** Faults that cannot be caused here, or that other tests cover. */
const ELSEWHERE: [id: string, fault: string, where: string][] = [
  ['F36', 'A backup made under load, restored elsewhere', '`test/backup` tests it with the commands'],
  ['F37', 'A row of another shape, edited by hand', 'not tried'],
  ['F38', 'A captcha service that is down or slow', '`test/spec/captcha-providers.test.ts`'],
  [
    'F14',
    'Deadlocks',
    'not caused; a cancelled statement is repeated (serializable isolation has the same effect)',
  ],
  [
    '',
    'Loss of power',
    'needs a machine that can be switched off. Killing every process at once (F6) is not the same, because data in the kernel survives that. PostgreSQL runs with `fsync` and `synchronous_commit` on',
  ],
  ['', 'A disk that lies about writing, or returns other bytes', 'not tried; no program can detect the lie'],
  [
    '',
    'Two machines that cannot reach each other, lost and delayed packets',
    'needs more than one network stack; cut, frozen and refused connections (F5 to F11, F40) come close',
  ],
];

interface Remarks {
  /** Tests that could not run on this machine. */
  skipped: readonly { title: string; reason: string }[];
  /** Titles of tests that failed once and then passed when run again. */
  repeated: readonly string[];
}

/** The text of docs/faults.md with the figures of one run. */
export function faultsPage(outcomes: readonly Outcome[], { skipped, repeated }: Remarks, when: Date): string {
  const rows = [...outcomes].sort((a, b) => numberOf(a) - numberOf(b)).map(row);
  const sum = (member: 'acknowledged' | 'stored' | 'delivered' | 'lost') =>
    outcomes.reduce((total, outcome) => total + (outcome[member] ?? 0), 0);
  const machine = `${cpus().length} cores, ${process.platform} ${process.arch}`;
  return `# Faults

These tests break Formstead on purpose and check what happens to the answers. Each sends known answers with known
Idempotency-Keys through the front door under load, causes the fault in real processes, and ends it. Then it compares five
records: what clients were told, what the database holds, what the receiver got, what the export contains, and what clients
are told when they ask again.

- Acknowledged ⊆ stored, with the same text. Nothing is stored twice or without being sent, and counters are exact.
- Every stored answer is delivered under one \`webhook-id\`, with the same bytes at every attempt and signatures that verify.
- The export equals what is stored. An acknowledged key always gets its first \`submission_id\` again.
- While the fault lasts, clients get 200, or 503 with \`Retry-After\`, in time: no other status, no hang.

\`npm run test:faults\` runs them all in some fifteen minutes, on Linux. Tests that mount small disks need root; fail-overs need
Debian's Patroni, and \`npm run test:failover\` runs them alone.
\`WRITE_FAULTS=1 npm run test:faults\` writes this page. A short selection is part of \`npm test\`.

## One run

${when.toISOString().slice(0, 10)}, ${machine}, load average ${loadavg()[2]?.toFixed(1)}. Together **${sum('acknowledged').toLocaleString('en')}
acknowledged, ${sum('lost').toLocaleString('en')} lost**. “Lost” counts answers acknowledged but not stored, stored but not exported, or stored and
neither delivered nor waiting. More may be stored than acknowledged: a client that missed the response cannot know, which
is what \`Idempotency-Key\` is for. “Recovered in” is the time from the end of the fault to the next acknowledged submission (or
to the end of the delayed work), the longest of all rounds.

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
