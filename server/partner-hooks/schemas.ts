import Type from 'typebox';
import { Success } from '../http/schemas/success.ts';

const FormId = Type.Union([Type.Integer(), Type.String({ minLength: 1 })], {
  description: 'Number, slug or UUID of the form.',
});

export const HookBody = Type.Object(
  {
    hookUrl: Type.String({
      description: 'Address that new submissions are sent to; http or https.',
      examples: ['https://example.com/hook'],
    }),
    form_id: FormId,
  },
  { additionalProperties: true },
);

export const HookAnswer = Type.Object({
  ...Success.properties,
  id: Type.String({ description: 'The `hookUrl`. Send it again to unsubscribe.' }),
});

export const Person = Type.Object({ name: Type.String(), email: Type.String() });

export const Workspaces = Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }));

export const Forms = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    label: Type.String({ description: 'Title and slug, for a list to choose from.' }),
  }),
);

export const WorkspaceQuery = Type.Object({ workspace_id: Type.String() });
export const FormQuery = Type.Object({ form_id: Type.String() });

export const RecentSubmissions = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  description: 'One delivery body: of the latest complete submission, or made up when there is none.',
});
