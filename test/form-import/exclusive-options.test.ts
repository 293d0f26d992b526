import { expect, test } from 'vitest';
import { readFile, readText } from '../../dashboard/form-import/read-source.ts';
import type { Property } from '../../fields/property.ts';
import { useHome } from '../setup/home.ts';
import { aWorkbook } from './a-workbook.ts';

/** Options that rule out the others in other products. */
const home = useHome();

type Imported = Awaited<ReturnType<typeof readFile>>;

const optionsOf = ({ form }: Imported, name: string): any[] => {
  const block = form.properties.find((one) => one.name === name) as Property;
  return (block[block.type] as any).options;
};
const alone = (form: Imported, name: string): string[] =>
  optionsOf(form, name)
    .filter(({ exclusive }) => exclusive === true)
    .map((option) => option.name);
const notes = (form: Imported) => form.notes.map(({ about, text }) => `${about}: ${text}`);

async function published({ form }: Imported) {
  const answer = await home.call('POST', '/open/forms', { ...form, workspace_id: home.workspaceId });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

test('of SurveyJS, those it has and those that somebody made so', async () => {
  const choices = ['Tea', { value: 'home', text: 'I stay at home', isExclusive: true }, 'Milk'];
  const special = {
    showNoneItem: true,
    showRefuseItem: true,
    showDontKnowItem: true,
    noneText: { default: 'Nothing', de: 'Nichts' },
    showOtherItem: true,
  };
  const read = readText(
    JSON.stringify({
      title: 'Drinks',
      elements: [
        { type: 'checkbox', name: 'some', title: 'Some', choices, minSelectedChoices: 2, ...special },
        { type: 'tagbox', name: 'tags', title: 'Tags', choices: ['A', 'B'], hasNone: true },
        { type: 'radiogroup', name: 'one', title: 'One', choices: ['Tea'], ...special },
      ],
    }),
  );
  expect(read.notes).toEqual([]);
  expect(alone(read, 'Some')).toEqual(['I stay at home', 'Nothing', 'Refuse to answer', "Don't know"]);
  expect(alone(read, 'Tags')).toEqual(['None']);
  expect(optionsOf(read, 'One').map(({ name }) => name)).toEqual([
    ...['Tea', 'Nothing', 'Refuse to answer', "Don't know"],
  ]);
  expect(alone(read, 'One')).toEqual([]);
  const form = await published(read);
  const [{ id }] = form.properties;
  const status = async (answer: string[]) => (await home.submit(form, { [id]: answer })).status;
  expect(await status(['Nothing'])).toBe(200);
  expect(await status(['Tea', 'Coffee'])).toBe(200);
  for (const other of ['Tea', 'Coffee', "Don't know"]) expect(await status(['Nothing', other])).toBe(422);
});

test('of XLSForm, by the usual constraints, also within repeats', async () => {
  const kept = [
    `not(selected(., 'none') and count-selected(.) > 1)`,
    `not(count-selected(\${q1}) >= 2 and (selected(\${q1}, 'none') or selected(\${q1}, 'unsure')))`,
    `not(selected(., 'none')) or count-selected(.) = 1`,
    `if(selected(., 'none'), count-selected(.) = 1, true())`,
    `not(selected(., 'none') and count-selected(.) > 1) and not(selected(., 'unsure') and (count-selected(.) != 1))`,
  ];
  const lost = [
    `not(selected(., 'none') and count-selected(.) > 2)`,
    `count-selected(.) <= 3`,
    `not(selected(., 'none') and count-selected(.) > 1) and count-selected(.) <= 3`,
  ];
  const rows = [...kept, ...lost].map((constraint, n) => [
    'select_multiple food',
    `q${n}`,
    `Food ${n}`,
    constraint,
    n === 0 ? 'None alone!' : '',
  ]);
  const read = await readFile(
    new File(
      [
        new Uint8Array(
          aWorkbook({
            survey: [
              ['type', 'name', 'label', 'constraint', 'constraint_message'],
              ...rows,
              ['begin repeat', 'people', 'People', '', ''],
              ['select_multiple food', 'inner', 'Inner', kept[0] ?? '', ''],
              ['end repeat', '', '', '', ''],
            ],
            choices: [
              ['list_name', 'name', 'label'],
              ['food', 'rice', 'Rice'],
              ['food', 'maize', 'Maize'],
              ['food', 'none', 'None'],
              ['food', 'unsure', 'Not sure'],
            ],
          }),
        ),
      ],
      'food.xlsx',
    ),
  );
  expect(kept.map((_, n) => alone(read, `Food ${n}`))).toEqual([
    ['None'],
    ['None', 'Not sure'],
    ['None'],
    ['None'],
    ['None', 'Not sure'],
  ]);
  expect(lost.map((_, n) => alone(read, `Food ${kept.length + n}`))).toEqual([[], [], []]);
  expect(notes(read)).toEqual([
    'Food 0: What was said if a choice ruled out others is left out: None alone!',
    ...lost.map(
      (constraint, n) => `Food ${kept.length + n}: What is checked of its answer is left out: ${constraint}`,
    ),
  ]);
  const people = read.form.properties.find(({ name }) => name === 'People') as any;
  expect(people.questions[0].multi_select.options[2]).toMatchObject({ name: 'None', exclusive: true });
});
