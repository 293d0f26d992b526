import Type from 'typebox';
import { WorkspaceParams } from '../access/path-params.ts';
import { Success } from '../http/schemas/success.ts';
import { INTERVALS } from './queries.ts';

const Every = Type.Union([Type.Enum([...INTERVALS]), Type.Null()], {
  description:
    'How often: after each `day`, or after each `week` from Monday to Sunday, in UTC; null: never.',
});

export const readSchema = {
  tags: ['Workspaces'],
  summary: 'Read how often you are mailed a summary of a workspace',
  params: WorkspaceParams,
  response: {
    200: Type.Object({
      every: Every,
      can_mail: Type.Boolean({ description: 'Whether the workspace or this service has a mail server.' }),
    }),
  },
};

export const saveSchema = {
  tags: ['Workspaces'],
  summary: 'Choose how often you are mailed a summary of a workspace',
  description:
    'Responses, views and starts of all forms beside those of the day or week before, and what needs attention. It goes to the address of ' +
    'your account after 6:00 UTC; nothing is mailed about a time in which nothing happened and nothing needs attention.',
  params: WorkspaceParams,
  body: Type.Object({ every: Every }),
  response: { 200: Success },
};
