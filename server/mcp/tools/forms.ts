import Type from 'typebox';
import { FormListQuery } from '../../forms/response-schemas.ts';
import { FORM_FIELDS } from '../../forms/schemas.ts';
import type { Api } from '../api.ts';
import { type FormAnswer, shortForm } from '../form-view.ts';
import { FormName, limitUpTo, PositiveId, type Tool, tool } from '../tool.ts';
import { Blocks, BlocksInShort, FORM_SETTINGS } from './form-input.ts';
import { draftedBlocks, keepRetention, publishedBlocks } from './keep-retention.ts';
import { refuseNewCode } from './refuse-new-code.ts';

const { search, status, sort, order } = FormListQuery.properties;

export const FORM_TOOLS: Tool[] = [
  tool({
    name: 'list_workspaces',
    title: 'List workspaces',
    description: 'Lists the workspaces of the owner of the token. Forms belong to a workspace.',
    ability: 'workspaces-read',
    effect: 'reads',
    input: Type.Object({}),
    async run(api) {
      const workspaces: { id: number; name: string }[] = await api('GET', '/open/workspaces');
      return { workspaces: workspaces.map(({ id, name }) => ({ id, name })) };
    },
  }),
  tool({
    name: 'list_forms',
    title: 'List forms',
    description:
      'Lists the forms of a workspace, latest change first, each with its number of submissions and its public address.',
    ability: 'forms-read',
    effect: 'reads',
    input: Type.Object({
      workspace_id: PositiveId,
      search,
      status,
      sort,
      order,
      page: Type.Integer({ minimum: 1, default: 1 }),
      limit: limitUpTo(50, 20),
    }),
    async run(api, { workspace_id, limit, ...query }) {
      const { data, meta } = await api('GET', `/open/workspaces/${workspace_id}/forms`, {
        query: texts({ ...query, per_page: limit }),
      });
      return {
        total: meta.total,
        page: meta.current_page,
        pages: meta.last_page,
        forms: data.map(({ last_edited_human, ...form }: Record<string, unknown>) => form),
      };
    },
  }),
  tool({
    name: 'get_form',
    title: 'Read a form',
    description:
      'Reads a form: its blocks in order, with ids, types, names and options, its state and its public address ' +
      '(share_url). With "whole" also everything else that is set, in the members that update_form takes: read the ' +
      'whole form before you change blocks.',
    ability: 'forms-read',
    effect: 'reads',
    input: Type.Object({
      form: FormName,
      whole: Type.Boolean({ default: false }),
    }),
    async run(api, { form, whole }) {
      const found: FormAnswer = await api('GET', pathOf(form));
      return whole ? found : shortForm(found);
    },
  }),
  tool({
    name: 'create_form',
    title: 'Create a form',
    description:
      'Makes a form in a workspace. Unless "visibility" says otherwise, it begins as a draft that only members see: ' +
      'let a person look at it (preview_form) before you publish it with update_form and "visibility": "public".',
    ability: 'forms-write',
    effect: 'adds',
    input: Type.Object({
      workspace_id: PositiveId,
      ...FORM_SETTINGS,
      title: FORM_FIELDS.title,
      properties: Blocks,
    }),
    async run(api, input) {
      await refuseNewCode(input.properties, async () => []);
      const body = await keepRetention(input, async () => []);
      return shortForm(await api('POST', '/open/forms', { body: { visibility: 'draft', ...body } }));
    },
  }),
  tool({
    name: 'update_form',
    title: 'Change a form',
    description:
      'Changes the members that are named, at once and for everybody who opens the form, and keeps all others. ' +
      '"properties" replaces all blocks: send every block that is to stay, with its id and all its members, as get_form ' +
      'with "whole" shows them. A question that is left out is removed; its past answers stay. To let people look before ' +
      'a form that is in use changes, use save_form_draft.',
    ability: 'forms-write',
    effect: 'changes',
    input: Type.Object({ ...FORM_SETTINGS, form: FormName, properties: BlocksInShort }),
    async run(api, { form, ...changes }) {
      await refuseNewCode(changes.properties, async () => [await readForm(api, form)]);
      const body = await keepRetention(changes, () => publishedBlocks(api, pathOf(form)));
      const { form: changed } = await api('PUT', pathOf(form), { body });
      return shortForm(changed);
    },
  }),
  tool({
    name: 'save_form_draft',
    title: 'Save unpublished changes of a form',
    description:
      'Saves changes beside the form, in place of earlier unpublished changes: name everything that differs from the ' +
      'published form. Nothing of it is public until publish_form_draft. "problems" says what could not be published ' +
      'yet. Refused when there are unpublished changes that you have not read.',
    ability: 'forms-write',
    effect: 'changes',
    input: Type.Object({
      ...FORM_SETTINGS,
      form: FormName,
      properties: BlocksInShort,
      revision: Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        default: 0,
        description:
          'Revision of the unpublished changes to replace, as get_form_draft or this tool returned it; 0 for none.',
      }),
    }),
    async run(api, { form, revision, ...changes }) {
      await refuseNewCode(changes.properties, async () => [await readForm(api, form)]);
      const body = await keepRetention(changes, () => draftedBlocks(api, pathOf(form)));
      return api('PUT', `${pathOf(form)}/draft`, { body, query: texts({ revision }) });
    },
  }),
  tool({
    name: 'get_form_draft',
    title: 'Read unpublished changes of a form',
    description:
      'Reads the unpublished changes of a form, whoever made them. Look here before save_form_draft replaces them.',
    ability: 'forms-read',
    effect: 'reads',
    input: Type.Object({ form: FormName }),
    run: (api, { form }) => api('GET', `${pathOf(form)}/draft`),
  }),
  tool({
    name: 'publish_form_draft',
    title: 'Publish unpublished changes of a form',
    description:
      'Publishes the unpublished changes of a form at once. Refused when somebody else changed the same meanwhile: ' +
      'then a person decides in the dashboard.',
    ability: 'forms-write',
    effect: 'changes',
    input: Type.Object({ form: FormName }),
    async run(api, { form }) {
      const { form: published } = await api('POST', `${pathOf(form)}/draft/publish`, { body: {} });
      return shortForm(published);
    },
  }),
  tool({
    name: 'preview_form',
    title: 'Make a link that shows a form',
    description:
      'Makes a link to the real page of a form with its unpublished changes, for people to look at. It works for an ' +
      'hour, needs no sign-in, and stores nothing.',
    ability: 'forms-write',
    effect: 'adds',
    input: Type.Object({ form: FormName }),
    run: (api, { form }) => api('POST', `${pathOf(form)}/preview`),
  }),
];

export function pathOf(form: string | number): string {
  return `/open/forms/${form}`;
}

export function readForm(api: Api, form: string | number): Promise<FormAnswer> {
  return api('GET', pathOf(form));
}

/** Members as texts for a query, without absent ones. */
export function texts(members: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
}
