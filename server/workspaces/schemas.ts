import Type from 'typebox';
import { ROLES } from '../access/abilities.ts';
import { MAX_HOURS } from '../files/file-links.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';

const Icon = Type.Optional(
  Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
    description: 'Sets `icon`. A blank value clears it; when absent, it stays.',
  }),
);

export const WorkspaceBody = Type.Object({
  name: RequiredText(255),
  emoji: Icon,
  icon: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
      description: 'The same as `emoji`, which takes precedence.',
    }),
  ),
  settings: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
});

const Settings = Type.Object({}, { additionalProperties: true });

const Workspace = {
  id: Type.Integer(),
  name: Type.String(),
  icon: Type.String(),
  max_file_size: Type.Number({ description: 'Megabytes.' }),
  is_readonly: Type.Boolean({ description: 'Whether the caller may only read in this workspace.' }),
};

export const WorkspaceList = Type.Array(
  Type.Object({
    ...Workspace,
    settings: Settings,
    role: Type.Enum(ROLES, { description: 'Role of the caller.' }),
    is_admin: Type.Boolean(),
    users_count: Type.Integer(),
    mail_is_set_up: Type.Boolean({
      description:
        'Whether mails of its forms go out: through a mail server of its own, or that of the service.',
    }),
    takes_payments: Type.Boolean({
      description: 'Whether it is connected to an account that takes payments.',
    }),
    pivot: Type.Object({ user_id: Type.Integer(), workspace_id: Type.Integer(), role: Type.Enum(ROLES) }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  }),
);

export const WorkspaceCreated = Type.Object({
  ...Success.properties,
  workspace_id: Type.Integer(),
  workspace: Type.Object({ ...Workspace, settings: Settings }),
});

export const WorkspaceUpdated = Type.Object({ ...Success.properties, workspace: Type.Object(Workspace) });
/** Megabytes; a workspace must not fill the operator's disk. */
const MAX_FILE_SIZE = 1_024;

export const SettingsBody = Type.Object({
  max_file_size: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0.01,
        maximum: MAX_FILE_SIZE,
        description: 'Megabytes that one uploaded file may have; null for the default, 25.',
      }),
    ),
  ),
  external_file_links: Type.Optional(
    Nullable(
      Type.Object({
        expires_in_hours: Type.Optional(
          Nullable(
            Type.Number({
              minimum: 0.01,
              maximum: MAX_HOURS,
              description: 'Hours that links to exports and files stay valid; null for the default, 24.',
            }),
          ),
        ),
      }),
    ),
  ),
});

export const SettingsUpdated = Type.Object({
  ...Success.properties,
  workspace: Type.Object({ ...Workspace, settings: Settings }),
});

export const WorkspaceDeleted = Type.Object({ ...Success.properties, workspace_id: Type.Integer() });
