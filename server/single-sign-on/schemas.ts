import Type from 'typebox';
import { Nullable } from '../http/schemas/nullable.ts';
import { Success } from '../http/schemas/success.ts';

export const StartQuery = Type.Object({ next: Type.Optional(Type.String()) });

export const ConnectionAnswer = Type.Object({
  provider: Nullable(
    Type.String({ description: 'Display name of the provider; null where none is set up.' }),
  ),
  connected_at: Nullable(Type.String({ format: 'date-time' })),
});
export const PasswordBody = Type.Object({ current_password: Type.String({ maxLength: 1024 }) });
export const ConnectAnswer = Type.Object({
  ...Success.properties,
  continue_at: Type.String({
    description: 'Where the same browser goes next: the provider, or a screen that says why not.',
  }),
});
