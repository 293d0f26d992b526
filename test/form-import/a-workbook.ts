import { strToU8, zipSync } from 'fflate';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An Excel file as spreadsheets write it: texts of the first sheet in the shared table, empty cells left out. */
export function aWorkbook(sheets: Record<string, string[][]>): Buffer {
  const shared: string[] = [];
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
  };
  names.forEach((name, at) => {
    const rows = (sheets[name] ?? []).map((cells, row) => {
      const inner = cells.map((text, column) => {
        const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
        if (text === '') return '';
        if (at > 0) return `<c ${place} t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
        shared.push(text);
        return `<c ${place} t="s"><v>${shared.length - 1}</v></c>`;
      });
      return `<row r="${row + 1}">${inner.join('')}</row>`;
    });
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet ${MAIN}><sheetData>${rows.join('')}</sheetData></worksheet>`;
  });
  const items = shared.map((text) => `<si><r><t xml:space="preserve">${escaped(text)}</t></r></si>`);
  files['xl/sharedStrings.xml'] = `<sst ${MAIN}>${items.join('')}</sst>`;
  return zipped(Object.fromEntries(Object.entries(files).map(([path, xml]) => [path, strToU8(HEAD + xml)])));
}

export function zipped(files: Record<string, Uint8Array>): Buffer {
  return Buffer.from(zipSync(files));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
