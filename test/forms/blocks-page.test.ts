import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  contentOptions,
  lookOptions,
  stateOptions,
} from '../../dashboard/form-builder/options/block-options.ts';
import { ownOptions } from '../../dashboard/form-builder/options/own-options.ts';
import { INPUT_TYPES } from '../../fields/type-names.ts';
import { aVisitor, blockOf } from '../public-pages/visitor.ts';
import { useHome } from '../setup/home.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/blocks.md'), 'utf8');
const LAYOUT = ['nf-text', 'nf-page-break', 'nf-divider', 'nf-image', 'nf-video', 'nf-audio', 'nf-code'];
/** `options` stand under the name of their type. */
const NAMED_OTHERWISE = ['options'];

const home = useHome();

test.each([...INPUT_TYPES, ...LAYOUT])(
  'docs/blocks.md names %s and all that the builder sets of it',
  (type) => {
    const block = { id: 'a', type, name: 'A', help: 'x' };
    const options = [
      ...ownOptions(type),
      ...contentOptions(block),
      ...stateOptions(block),
      ...lookOptions(block),
    ];
    const keys = options.map(({ key }) => key).filter((key) => !NAMED_OTHERWISE.includes(key));
    expect([type, ...keys].filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  },
);

test('what it shows is accepted, and means what it says', async () => {
  const [form, repeat] = [...PAGE.matchAll(/```json\n([^`]*)```/g)].map(([, text = '']) => JSON.parse(text));
  const body = { ...form, workspace_id: home.workspaceId, properties: [...form.properties, repeat] };
  const created = await home.call('POST', '/open/forms', body);
  expect(created.status, created.text).toBe(201);
  const answers = { name: 'Ada', day: 'Saturday', guests: [{ who: 'Ben', meal: 'Rice' }] };
  const sent = await home.submit(created.body, answers);
  expect(sent.status, sent.text).toBe(200);
  expect((await home.records(created.body))[0].data).toMatchObject(answers);
  // The bus back is offered on Sunday only.
  const page = async (query = '') => await aVisitor(home.service).open(`/forms/${created.body.slug}${query}`);
  expect(blockOf(await page(), 'bus')).toBe('');
  expect(blockOf(await page('?day=Sunday'), 'bus')).toContain('I need the bus back');
});
