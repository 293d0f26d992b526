import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import { parametersOf, prefilledLink } from '../../dashboard/share/prefill.ts';
import { partName } from '../../fields/html/part-names.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

/** Rows and options keep their answers, wherever they stand by the time these arrive. */
const home = useHome();

const propertiesOf = (rows: string[], options = rows) => [
  { id: 'm', type: 'matrix', name: 'Rooms', rows, columns: ['Good', 'Bad'] },
  { id: 'r', type: 'ranking', name: 'Order', ranking: { options } },
];
/** Names that browsers escape, that mean places, or that are long in an address. */
const ROWS = ['Desk', 'a "b"\n50 %', '1', 'Büro & [x]'];

async function moved(rows: string[]) {
  const form = await home.form({ properties: propertiesOf(ROWS) });
  const visitor = aVisitor(home.service);
  const save = async () => {
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: propertiesOf(rows) });
    expect(saved.status, saved.text).toBe(200);
  };
  const stored = async () => (await home.records(form))[0].data;
  return { form, visitor, save, stored };
}

test('answers go to the rows that were shown, not to those that stand there now', async () => {
  const { form, visitor, save, stored } = await moved(['Kitchen', ...ROWS.toReversed()]);
  const page = await visitor.open(`/forms/${form.slug}`);
  const sent = Object.fromEntries(
    ROWS.flatMap((row, index) => [
      [partName('m', row), index % 2 ? 'Bad' : 'Good'],
      [partName('r', row), String(index + 1)],
    ]),
  );
  for (const name of Object.keys(sent)) expect(namesIn(page.html)).toContain(name);
  await save();
  const after = await visitor.send(page, sent);
  // The ranking has an option more now, so the page asks again, with everything as it was.
  expect(after.text).toContain('Order');
  const names = ['Kitchen', ...ROWS.toReversed()];
  const ranks = Object.fromEntries(names.map((name, index) => [partName('r', name), String(index + 1)]));
  await visitor.send(after, ranks);
  expect(await stored()).toMatchObject({
    m: Object.fromEntries(ROWS.map((row, index) => [row, index % 2 ? 'Bad' : 'Good'])),
    r: names,
  });
});

test('a row that is gone takes only its own answer with it', async () => {
  const { form, visitor, save, stored } = await moved(ROWS.slice(1));
  const page = await visitor.open(`/forms/${form.slug}`);
  await save();
  const sent = Object.fromEntries(ROWS.map((row, index) => [partName('m', row), index % 2 ? 'Bad' : 'Good']));
  await visitor.send(page, sent);
  expect((await stored()).m).toEqual({ [ROWS[1] as string]: 'Bad', 1: 'Good', [ROWS[3] as string]: 'Bad' });
});

test('a link fills in the row that it names', async () => {
  const { form, visitor, save, stored } = await moved(ROWS.toReversed());
  const [matrix] = propertiesOf(ROWS);
  const values = Object.fromEntries(
    parametersOf(matrix as never).map(([name], index) => [name, index % 2 ? 'Bad' : 'Good']),
  );
  await save();
  const link = prefilledLink(`/forms/${form.slug}`, values);
  expect(link).toContain('m%5BDesk%5D=Good');
  await visitor.send(await visitor.open(link));
  expect((await stored()).m).toEqual(
    Object.fromEntries(ROWS.map((row, index) => [row, index % 2 ? 'Bad' : 'Good'])),
  );
});

test('places from 0 go on naming rows, as in forms that were made before', async () => {
  const { form, stored } = await moved(ROWS);
  const body = new URLSearchParams({ 'm[0]': 'Good', 'm[2]': 'Bad' });
  const sent = await fetch(`${home.service.url}/forms/${form.slug}`, {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  expect(sent.status).toBe(200);
  expect((await stored()).m).toEqual({ Desk: 'Good', 1: 'Bad' });
});

function namesIn(html: string): string[] {
  const found: string[] = [];
  const walk = (nodes: { attribs?: Record<string, string>; children?: object[] }[]) => {
    for (const { attribs, children } of nodes) {
      if (attribs?.name !== undefined) found.push(attribs.name);
      if (children) walk(children);
    }
  };
  walk(parseDocument(html).children as never);
  return found;
}
