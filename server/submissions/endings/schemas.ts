import Type from 'typebox';
import { FormParams } from '../../access/path-params.ts';
import { Nullable } from '../../http/schemas/nullable.ts';

/** An ending that submissions reached, or may reach. */
export const ReachedEnding = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String({ description: 'As it is called now; null when the form has it no more.' })),
  },
  { title: 'ReachedEnding' },
);

export const endingsSchema = {
  tags: ['Submissions'],
  summary: 'List the endings that submissions can have reached',
  description:
    'Those of the form, in their order, then those that were removed from it but are named by submissions.',
  params: FormParams,
  response: { 200: Type.Object({ data: Type.Array(ReachedEnding) }) },
};
