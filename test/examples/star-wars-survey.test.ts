import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../examples/star-wars-survey/client.ts';
import { answerFields, compareDeliveries, compareExport } from '../../examples/star-wars-survey/compare.ts';
import { readSurvey } from '../../examples/star-wars-survey/read-survey.ts';
import { type ExampleReport, runExample } from '../../examples/star-wars-survey/run-example.ts';
import { compileForm } from '../../fields/compile-form.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import type { Answers, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { startService, type TestService } from '../setup/service.ts';

const PEOPLE = 1186;
const COLUMNS = 38;
const FOLDER = new URL('../../examples/star-wars-survey/', import.meta.url);
const WHOLE_RUN_MS = 600_000;

const survey = readSurvey();

describe('the survey as it is read', () => {
  const { properties } = survey.form as { properties: Property[] };
  const form = compileForm({ properties, messages: messagesFor('en') }, serverEngines);
  const idOf = (name: string) => properties.find((property) => property.name.startsWith(name))?.id ?? '';

  test('is the published file', async () => {
    const file = await readFile(new URL('star-wars-survey.csv', FOLDER));
    const sha256 = createHash('sha256').update(file).digest('hex');
    expect(sha256).toBe('8b69b1084ad05351bc2ee04a3ecb8b738fb8a87cc2a9d5045d6545881d98fdd2');
    expect(survey.respondents).toHaveLength(PEOPLE);
    expect(survey.columns).toHaveLength(COLUMNS);
  });

  test('keeps every filled cell as an answer that the form stores unaltered', () => {
    for (const { cells, answers } of survey.respondents) {
      const result = form.check(answers as Answers);
      expect(result.errors).toBeNull();
      expect({ ...result.answers }).toEqual(answers);
      expect(countParts(answers)).toBe(cells.filter((cell) => cell !== '').length);
    }
  });

  test('has a form that takes answers its logic hides, and refuses ranks beyond six', () => {
    const seen = survey.respondents.find(({ answers }) => answers[idOf('Have you seen')] === 'Yes');
    const unseen = survey.respondents.find(({ answers }) => answers[idOf('Have you seen')] === 'No');
    const episode = idOf('Star Wars: Episode IV');
    const hidden = { [idOf('Do you consider yourself to be a fan of the Expanded')]: 'Yes', [episode]: 4 };
    const stored = form.check({ ...unseen?.answers, ...hidden } as Answers);
    expect(stored.errors).toBeNull();
    expect(stored.answers).toMatchObject(hidden);
    const refused = form.check({ ...seen?.answers, [episode]: 7 } as Answers);
    expect(refused.errors).toEqual({ [episode]: ['Please give a rank from 1 to 6.'] });
  });
});

describe('the survey through a service', () => {
  let service: TestService;
  let report: ExampleReport;
  const lines: string[] = [];

  beforeAll(async () => {
    service = await startService();
    const token = await createToken(service.url);
    report = await runExample({ url: service.url, token, log: (line) => lines.push(line) });
  }, WHOLE_RUN_MS);

  afterAll(() => service?.stop());

  test('reports nothing wrong', () => {
    expect(report.problems).toEqual([]);
    expect(lines.at(-1)).toBe('Everything arrived unaltered.');
  });

  test('is counted alike everywhere', () => {
    expect(report.counts).toEqual({ answered: PEOPLE, byForm: PEOPLE, byList: PEOPLE, delivered: PEOPLE });
  });

  test('comes back cell by cell, by a job and at once', () => {
    const cells = PEOPLE * COLUMNS;
    expect(report.exported).toMatchObject({ rows: PEOPLE, cells, equalCells: cells });
    expect(report.exportedPart).toMatchObject({ rows: 500, cells: 500 * COLUMNS, equalCells: 500 * COLUMNS });
    const exports = lines.filter((line) => line.startsWith('Exported'));
    expect(exports).toEqual([expect.stringContaining('by a job'), expect.stringContaining('at once')]);
  });

  test('arrives by webhook, every signature valid, every body equal', () => {
    expect(report.deliveries).toMatchObject({ validSignatures: PEOPLE, equalBodies: PEOPLE });
  });
});

describe('the comparisons notice', () => {
  const respondent = survey.respondents[0]!;
  const one = { ...survey, respondents: [respondent] };
  const fields = answerFields(survey);
  const header = ['submission_id', 'status', ...fields.map(({ name }) => name)];
  const ids = new Map([[respondent.id, 'a']]);

  function exportOf(change: (texts: string[]) => string[]): string {
    const texts = fields.map(({ id }) => {
      const answer = respondent.answers[id] ?? '';
      if (Array.isArray(answer)) return answer.join(', ');
      if (typeof answer !== 'object') return String(answer);
      return Object.entries(answer)
        .map(([row, column]) => `${row}: ${column}`)
        .join(' | ');
    });
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    return [header, ['a', 'completed', ...change(texts)]].map((row) => row.map(quote).join(',')).join('\n');
  }

  test('nothing in an export that is right', () => {
    const { cells, equalCells, differences } = compareExport(
      one,
      exportOf((texts) => texts),
      ids,
    );
    expect({ cells, equalCells, differences }).toEqual({
      cells: COLUMNS,
      equalCells: COLUMNS,
      differences: [],
    });
  });

  test.each([
    ['a changed value', (text: string) => text.replace('Male', 'male')],
    ['a lost double space', (text: string) => text.replaceAll('  ', ' ')],
    [
      'a changed matrix cell',
      (text: string) => text.replace('Yoda: Very favorably', 'Yoda: Very unfavorably'),
    ],
    ['a lost matrix row', (text: string) => text.replace(' | Yoda: Very favorably', '')],
    [
      'a choice too many',
      (text: string) => text.replace('Star Wars: Episode VI Return of the Jedi', '$&, Rogue One'),
    ],
  ])('%s', (_what, change) => {
    const { equalCells, differences } = compareExport(
      one,
      exportOf((texts) => texts.map(change)),
      ids,
    );
    expect(equalCells).toBeLessThan(COLUMNS);
    expect(differences).not.toEqual([]);
  });

  test('a row that is missing', () => {
    const { equalCells, differences } = compareExport(
      one,
      exportOf((texts) => texts),
      new Map([[respondent.id, 'b']]),
    );
    expect(equalCells).toBe(0);
    expect(differences).toEqual([`The answers of ${respondent.id} are missing.`]);
  });

  test('bytes that were altered after signing, and data that is not what was sent', () => {
    const secret = 'twelve or more';
    const data = Object.fromEntries(
      fields
        .filter(({ id }) => respondent.answers[id] !== undefined)
        .map(({ id, name, type }) => [id, { value: respondent.answers[id], name, type }]),
    );
    const body = Buffer.from(JSON.stringify({ data }));
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'x-webhook-signature': signature };
    const good = compareDeliveries(one, [{ headers, body }], secret);
    expect(good).toEqual({ validSignatures: 1, equalBodies: 1, differences: [] });
    const altered = Buffer.from(body.toString().replace('"Male"', '"male"'));
    const bad = compareDeliveries(one, [{ headers, body: altered }], secret);
    expect(bad).toMatchObject({ validSignatures: 0, equalBodies: 0 });
    expect(bad.differences).toHaveLength(2);
    expect(compareDeliveries(one, [], secret).differences).toEqual([`No delivery for ${respondent.id}.`]);
  });
});

test(
  'the example runs by itself and leaves nothing behind',
  async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'formstead-test-'));
    await chmod(scratch, 0o711); // PostgreSQL does not run as root and must get through
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: scratch };
    const run = new URL('run.ts', FOLDER).pathname;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [run], { env });
    expect(stdout).toContain('45,068 of 45,068 cells are equal to the file.');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Everything arrived unaltered.');
    expect(stderr).toBe('');
    expect(await readdir(scratch)).toEqual([]);
    await rm(scratch, { recursive: true });
  },
  WHOLE_RUN_MS,
);

function countParts(answers: object): number {
  const sizeOf = (answer: unknown) => (answer instanceof Object ? Object.keys(answer).length : 1);
  return Object.values(answers).reduce((sum, answer) => sum + sizeOf(answer), 0);
}
