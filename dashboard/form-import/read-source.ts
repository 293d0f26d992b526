import { isJsonObject, type JsonObject } from '../../fields/property.ts';
import { decodeText } from '../lib/decode-text.ts';
import { readFormJson } from '../templates/read-json.ts';
import { OLD_WORKBOOK, seemsOldWorkbook, seemsWorkbook } from '../workbooks/file-kinds.ts';
import type { WorkbookLimits } from '../workbooks/open-workbook.ts';
import { fromFormbricks, isFormbricks } from './formbricks/formbricks.ts';
import { fromGoogleForms, isGoogleForm } from './google-forms.ts';
import { type FormInput, type ImportedForm, UnreadableForm } from './imported.ts';
import { objectsOf } from './json.ts';
import { fromLimeSurvey, isXml } from './limesurvey/limesurvey.ts';
import { fromSurveyJs, isSurveyJs } from './survey-js/survey-js.ts';
import { fromTally, isTally } from './tally/tally.ts';
import { fromTypeform, isTypeform } from './typeform/typeform.ts';
import { readXlsForm } from './xlsform/sheets.ts';
import { fromXlsForm } from './xlsform/xlsform.ts';

/** A form, and the product it comes from. */
export interface ReadSource extends ImportedForm {
  product: string;
}

interface Product {
  name: string;
  recognises(source: JsonObject): boolean;
  convert(source: JsonObject): ImportedForm;
}

/** Megabytes; files of forms are far smaller. */
const MAX_FILE_MB = 5;
/** Limits for an XLSForm, which usually has some hundred kilobytes. */
const WORKBOOK_LIMITS: WorkbookLimits = { unpacked: 20 * 1024 * 1024, rows: 50_000, columns: 200 };
/** No form of these products is nested deeper. */
const MAX_DEPTH = 60;

/** The first one that recognises a source reads it. */
const PRODUCTS: readonly Product[] = [
  { name: 'Formstead', recognises: isOurs, convert: fromOurs },
  { name: 'Tally', recognises: isTally, convert: fromTally },
  { name: 'Google Forms', recognises: isGoogleForm, convert: fromGoogleForms },
  { name: 'Formbricks', recognises: isFormbricks, convert: fromFormbricks },
  { name: 'Typeform', recognises: isTypeform, convert: fromTypeform },
  { name: 'SurveyJS', recognises: isSurveyJs, convert: fromSurveyJs },
];

/** @throws UnreadableForm */
export async function readFile(file: File): Promise<ReadSource> {
  if (file.size > MAX_FILE_MB * 1024 * 1024)
    throw new UnreadableForm(`The file is larger than ${MAX_FILE_MB} MB. A form is smaller.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (seemsWorkbook(bytes)) return readExcel(bytes, file.name);
  if (seemsOldWorkbook(bytes)) throw new UnreadableForm(OLD_WORKBOOK);
  return readText(decodeText(bytes));
}

async function readExcel(bytes: Uint8Array, fileName: string): Promise<ReadSource> {
  const { openWorkbook, UnreadableWorkbook } = await import('../workbooks/open-workbook.ts');
  try {
    const workbook = openWorkbook(bytes, WORKBOOK_LIMITS);
    const sheets = new Map(workbook.sheets.map((name) => [name, [...workbook.rowsOf(name)]]));
    return { product: 'XLSForm', ...fromXlsForm(readXlsForm(sheets), fileName.replace(/\.[^.]*$/, '')) };
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw new UnreadableForm(error.message);
    throw error;
  }
}

/** @throws UnreadableForm */
export function readText(text: string): ReadSource {
  if (isXml(text)) return { product: 'LimeSurvey', ...fromLimeSurvey(text) };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new UnreadableForm(
      text.trim() === ''
        ? 'There is nothing in it.'
        : 'This is not JSON. Copy the whole answer of the other product, from { to }.',
    );
  }
  if (!isShallow(content, MAX_DEPTH))
    throw new UnreadableForm('This is not a form: it is nested too deeply.');
  const source = isJsonObject(content) ? content : {};
  // Some tools wrap the API's response.
  const candidates = [
    Array.isArray(content) ? { properties: content } : source,
    source.form,
    source.survey,
    source.data,
  ];
  for (const candidate of candidates.filter(isJsonObject)) {
    const product = PRODUCTS.find(({ recognises }) => recognises(candidate));
    if (product) return { product: product.name, ...product.convert(candidate) };
  }
  throw new UnreadableForm(
    'This is not from a product that is known here. Forms of Typeform, Google Forms, SurveyJS, Formbricks, Tally and Formstead are read as JSON, XLSForms as .xlsx, surveys of LimeSurvey as .lss.',
  );
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1));
}

function isOurs(source: JsonObject): boolean {
  return Array.isArray(source.properties);
}

/** A form of ours: the service reports its problems. */
function fromOurs(source: JsonObject): ImportedForm {
  const read = readFormJson(JSON.stringify(source));
  if ('problem' in read) throw new UnreadableForm(read.problem);
  const properties = objectsOf(read.form.properties).filter(
    ({ type, name }) => typeof type === 'string' && typeof name === 'string',
  );
  if (properties.length === 0) throw new UnreadableForm('There are no questions in it.');
  const text = 'Its address, password and closing time are left out, and its integrations and answers.';
  return { form: { ...read.form, properties } as FormInput, notes: [{ about: '', text }] };
}
