import { strFromU8, strToU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { ImportedForm } from '../../dashboard/form-import/imported.ts';
import { readFile, readText } from '../../dashboard/form-import/read-source.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { aWorkbook, zipped } from './a-workbook.ts';

const home = useHome();

async function published({ form }: ImportedForm) {
  const answer = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const typeform = (...fields: object[]) => JSON.stringify({ title: 'T', _links: {}, fields });

test.each([
  [
    'Typeform',
    {
      _links: {},
      fields: [
        { type: 'constructor', title: 'Odd' },
        { type: 'email', title: 'Known' },
      ],
    },
  ],
  [
    'SurveyJS',
    {
      elements: [
        { type: 'toString', name: 'Odd' },
        { type: 'text', inputType: 'constructor', name: 'Known', visibleIf: "constructor({Known}, 'x')" },
      ],
    },
  ],
  [
    'Formbricks',
    {
      questions: [
        { id: 'a', type: 'valueOf', headline: 'Odd' },
        { id: 'b', type: 'openText', inputType: 'constructor', headline: 'Known' },
      ],
    },
  ],
  [
    'Tally',
    {
      blocks: [
        { uuid: 'a', groupUuid: 'a', type: 'constructor', payload: {} },
        { uuid: 'b', groupUuid: 'b', type: 'TITLE', payload: { html: 'Known' } },
        { uuid: 'c', groupUuid: 'c', type: 'INPUT_EMAIL', payload: {} },
      ],
    },
  ],
])('%s: what is called as JavaScript calls its own is a kind nobody knows', async (product, source) => {
  const read = readText(JSON.stringify(source));
  expect(read.product).toBe(product);
  const { properties } = await published(read);
  expect(properties.map(({ name }: { name: string }) => name)).toEqual(['Known']);
  expect(read.notes).not.toEqual([]);
});

describe('a file', () => {
  const text = typeform({ ref: 'a', type: 'short_text', title: 'Straße' });
  test.each([
    ['UTF-16, as Windows keeps what a command has answered', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
  ])('may be in %s', async (_name, bytes) => {
    const { form } = await readFile(new File([bytes], 'form.json'));
    expect(form.properties[0]?.name).toBe('Straße');
  });
});

test('fifty thousand options of one name take no time', async () => {
  const choices = Array.from({ length: 50_000 }, () => ({ label: 'Same' }));
  const source = typeform({ ref: 'a', type: 'dropdown', title: 'A', properties: { choices } });
  let stored: { properties: any[] } | undefined;
  await expectCheap(10_000, async () => {
    stored = await published(readText(source));
  });
  const block = stored?.properties[0];
  expect(block.select.options).toHaveLength(2_000);
  expect(block.select.options[1_999].name).toBe('Same (2000)');
});

test('a workbook with a tag that never ends takes no time', async () => {
  const files = unzipSync(
    aWorkbook({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'a', 'Known'],
      ],
    }),
  );
  const sheet = 'xl/worksheets/sheet1.xml';
  files[sheet] = strToU8(`${strFromU8(files[sheet] as Uint8Array)}<c${' '.repeat(200_000)}<`);
  const file = new File([new Uint8Array(zipped(files))], 'form.xlsx');
  await expectCheap(10_000, async () => {
    const { form } = await readFile(file);
    expect(form.properties.map(({ name }) => name)).toEqual(['Known']);
  });
});
