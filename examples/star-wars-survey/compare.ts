import { createHmac, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import type { Column, Respondent, Survey } from './read-survey.ts';
import type { Delivery } from './receiver.ts';

export interface ExportComparison {
  rows: number;
  cells: number;
  equalCells: number;
  differences: string[];
}

export interface DeliveryComparison {
  validSignatures: number;
  equalBodies: number;
  differences: string[];
}

/**
 * Puts the columns of the file together again from an export with the columns `submission_id`, `status` and every
 * field, and compares them cell by cell.
 * @param submissionIds what the service answered, by respondent; exactly these must be in the export, once each
 */
export function compareExport(
  survey: Survey,
  csv: string,
  submissionIds: ReadonlyMap<string, string>,
): ExportComparison {
  const [header = [], ...rows] = parse(csv) as string[][];
  const fields = answerFields(survey);
  const differences: string[] = [];
  const expectedHeader = ['submission_id', 'status', ...fields.map(({ name }) => name)];
  if (!isDeepStrictEqual(header, expectedHeader))
    differences.push(`The header is ${JSON.stringify(header)}.`);

  const rowsById = new Map(rows.map((row) => [row[0], row]));
  if (rows.length !== submissionIds.size || rowsById.size !== rows.length)
    differences.push(`${rows.length} rows, ${rowsById.size} submissions; ${submissionIds.size} expected.`);
  let cells = 0;
  let equalCells = 0;
  for (const respondent of survey.respondents) {
    const submissionId = submissionIds.get(respondent.id);
    if (submissionId === undefined) continue;
    cells += respondent.cells.length;
    const row = rowsById.get(submissionId);
    if (!row) {
      differences.push(`The answers of ${respondent.id} are missing.`);
      continue;
    }
    if (row[1] !== 'completed') differences.push(`The status of ${respondent.id} is ${row[1]}.`);
    const texts = new Map(fields.map(({ id }, index) => [id, row[index + 2] ?? '']));
    const rebuilt = cellsOf(texts, survey.columns);
    respondent.cells.forEach((cell, index) => {
      if (rebuilt[index] === cell) equalCells++;
      else differences.push(difference(respondent, `column ${index + 1}`, rebuilt[index], cell));
    });
  }
  return { rows: rows.length, cells, equalCells, differences };
}

/** Checks the signature of every delivery over its raw bytes and its `data` against what was submitted. */
export function compareDeliveries(
  survey: Survey,
  deliveries: Iterable<Delivery>,
  secret: string,
): DeliveryComparison {
  const idField = survey.columns[0]?.property.id ?? '';
  const waiting = new Map(survey.respondents.map((respondent) => [Number(respondent.id), respondent]));
  const result: DeliveryComparison = { validSignatures: 0, equalBodies: 0, differences: [] };
  for (const { headers, body } of deliveries) {
    if (isSigned(body, String(headers['x-webhook-signature']), secret)) result.validSignatures++;
    else result.differences.push(`A signature is wrong: ${headers['x-webhook-signature']}.`);
    const { data } = JSON.parse(body.toString());
    const respondent = waiting.get(data[idField]?.value);
    if (!respondent) {
      result.differences.push(`Nobody, or nobody any more, answered ${JSON.stringify(data)}.`);
      continue;
    }
    waiting.delete(Number(respondent.id));
    const expected = deliveredData(survey, respondent);
    if (isDeepStrictEqual(data, expected)) result.equalBodies++;
    else result.differences.push(difference(respondent, 'the delivery', data, expected));
  }
  for (const { id } of waiting.values()) result.differences.push(`No delivery for ${id}.`);
  return result;
}

/** The fields that hold answers, in the order of the file. */
export function answerFields(survey: Survey): Column['property'][] {
  return [...new Set(survey.columns.map(({ property }) => property))];
}

/** The cells of the file from the texts of an export, by field id: the reverse of what `readSurvey` does. */
function cellsOf(texts: ReadonlyMap<string, string>, columns: Column[]): string[] {
  return columns.map(({ property: { id, type }, part }) => {
    const text = texts.get(id) ?? '';
    if (part === null || text === '') return text;
    const parts = text.split(type === 'matrix' ? ' | ' : ', ');
    const known = columns.filter((column) => column.property.id === id).map((column) => column.part);
    const label = (item: string) => (type === 'matrix' ? item.slice(0, item.indexOf(': ')) : item);
    const surplus = parts.find((item) => !known.includes(label(item)));
    if (surplus !== undefined) return `(unknown: ${surplus})`;
    const found = parts.filter((item) => label(item) === part);
    return found.map((item) => (type === 'matrix' ? item.slice(part.length + 2) : item)).join(' and ');
  });
}

function deliveredData(survey: Survey, { answers }: Respondent) {
  const fields = answerFields(survey).filter(({ id }) => answers[id] !== undefined);
  return Object.fromEntries(fields.map(({ id, name, type }) => [id, { value: answers[id], name, type }]));
}

function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const received = Buffer.from(signature);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function difference({ id }: Respondent, where: string, found: unknown, expected: unknown): string {
  return `${id}, ${where}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
}
