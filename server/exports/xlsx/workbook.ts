import { Transform } from 'node:stream';
import type { ExportColumn } from '../columns/columns.ts';
import { createLineCutter } from '../copy-lines.ts';
import { createZip, type ZipEntry } from '../zip.ts';
import { STYLES } from './cells.ts';
import { columnListSheet } from './column-list.ts';
import { createSheet } from './sheet.ts';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** All parts of an Office Open XML workbook (ECMA-376) except its sheets. */
const PARTS: Record<string, string> = {
  '[Content_Types].xml':
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>` +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
    [1, 2]
      .map(
        (sheet) =>
          `<Override PartName="/xl/worksheets/sheet${sheet}.xml" ContentType="${CONTENT}.worksheet+xml"/>`,
      )
      .join('') +
    '</Types>',
  '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml':
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships">` +
    '<sheets><sheet name="Submissions" sheetId="1" r:id="rId1"/><sheet name="Columns" sheetId="2" r:id="rId2"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relationships(
    ['worksheet', 'worksheets/sheet1.xml'],
    ['worksheet', 'worksheets/sheet2.xml'],
    ['styles', 'styles.xml'],
  ),
  'xl/styles.xml': stylesXml(),
};

/**
 * Makes a workbook of the output of a `COPY … TO STDOUT` in text format, as it comes, with a cell for each of its columns; a
 * second sheet says what the columns are. Fails with SheetFull or ZipTooLarge when it gets too large for a spreadsheet.
 */
export function createWorkbook(columns: ExportColumn[]): Transform {
  const zip = createZip((bytes) => workbook.push(bytes));
  const sheet = createSheet(columns);
  let entry: ZipEntry | null = null;
  const cut = createLineCutter();

  async function begin(): Promise<ZipEntry> {
    for (const [name, content] of Object.entries(PARTS)) await writePart(name, [content]);
    await writePart('xl/worksheets/sheet2.xml', columnListSheet(columns));
    const opened = zip.open('xl/worksheets/sheet1.xml');
    await opened.write(Buffer.from(sheet.head));
    return opened;
  }

  async function writePart(name: string, pieces: Iterable<string>): Promise<void> {
    const part = zip.open(name);
    await part.write(Buffer.from(XML));
    for (const piece of pieces) await part.write(Buffer.from(piece));
    await part.close();
  }

  async function write(bytes: Buffer): Promise<void> {
    entry ??= await begin();
    for (const lines of cut(bytes)) await entry.write(Buffer.from(sheet.rows(lines)));
  }

  async function finish(): Promise<void> {
    entry ??= await begin();
    await entry.write(Buffer.from(sheet.tail()));
    await entry.close();
    zip.end();
  }

  const workbook = new Transform({
    transform: (bytes: Buffer, _encoding, done) => void write(bytes).then(() => done(), done),
    flush: (done) => void finish().then(() => done(), done),
    destroy(error, done) {
      zip.abandon();
      done(error);
    },
  });
  return workbook;
}

function relationships(...targets: [type: string, target: string][]): string {
  const entries = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

/** The styles in the order of `STYLES`. */
function stylesXml(): string {
  const formats: Record<keyof typeof STYLES, string> = {
    plain: 'numFmtId="0" fontId="0"',
    heading: 'numFmtId="0" fontId="1"',
    date: 'numFmtId="164" fontId="0"',
    moment: 'numFmtId="165" fontId="0"',
    minute: 'numFmtId="166" fontId="0"',
    lines: 'numFmtId="0" fontId="0"',
  };
  const names = Object.keys(STYLES) as (keyof typeof STYLES)[];
  const wrapped = '<alignment vertical="top" wrapText="1"/>';
  const cells = names.map(
    (name) =>
      `<xf ${formats[name]} fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyAlignment="1">${name === 'lines' ? wrapped : ''}</xf>`,
  );
  return (
    `<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
    '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}
