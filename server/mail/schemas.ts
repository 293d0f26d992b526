import Type, { type Static } from 'typebox';
import { WorkspaceParams } from '../access/path-params.ts';
import { EMAIL_MAX_LENGTH } from '../accounts/email.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';
import { MAIL_PORTS, SECURITIES } from './mail-servers.ts';

const tags = ['Workspaces'];

const Security = Type.Enum([...SECURITIES], {
  description:
    '`tls`: encrypted from the start, as on port 465. `starttls`: encrypted before anything is said, as on port 587; a server that does ' +
    'not offer it is not used. `none`: never, and so without a sign-in.',
});

const MailServer = Type.Object(
  {
    host: Type.String(),
    port: Type.Integer(),
    security: Security,
    user_name: Nullable(Type.String()),
    has_password: Type.Boolean({ description: 'Whether a password is stored, which is never shown.' }),
    sender_address: Type.String(),
    sender_name: Nullable(Type.String()),
  },
  { title: 'MailServer' },
);

const MailServerBody = Type.Object({
  host: RequiredText(253),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: `One of ${MAIL_PORTS.join(', ')}; any in networks that the operator opened.`,
  }),
  security: Security,
  user_name: Type.Optional(
    Nullable(Type.String({ maxLength: 255, description: 'Null or blank: without a sign-in.' })),
  ),
  password: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 1_024,
        description:
          'Null, blank or absent: the stored one stays, as long as `host`, `port`, `security` and `user_name` do.',
      }),
    ),
  ),
  sender_address: RequiredText(EMAIL_MAX_LENGTH),
  sender_name: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
});
export type MailServerBody = Static<typeof MailServerBody>;

const Answer = Type.Object({ ...Success.properties, mail_server: MailServer });

export const readSchema = {
  tags,
  summary: 'Read the mail server of a workspace',
  description: 'Null where mails of its forms go through the server of the service.',
  params: WorkspaceParams,
  response: {
    200: Type.Object({
      mail_server: Nullable(MailServer),
      service_sends_mail: Type.Boolean({ description: 'Whether the service has a mail server.' }),
    }),
  },
};

export const saveSchema = {
  tags,
  summary: 'Send mails of a workspace’s forms through a server of its own',
  description:
    'From now on, those that wait included. Mails about accounts and invitations of members go through the server of the service. ' +
    'Replaces all settings; no connection is made.',
  params: WorkspaceParams,
  body: MailServerBody,
  response: { 200: Answer },
};

export const deleteSchema = {
  tags,
  summary: 'Send mails of a workspace’s forms through the server of the service again',
  params: WorkspaceParams,
  response: { 200: Success },
};

export const testSchema = {
  tags,
  summary: 'Send a test mail through a mail server',
  description:
    'To the address of the caller’s account, by the settings in the body, which need not be saved. Always 200: `type` and `message` say ' +
    'whether the server took the mail, and what it answered.',
  params: WorkspaceParams,
  body: MailServerBody,
  response: {
    200: Type.Object({
      type: Type.Union([Type.Literal('success'), Type.Literal('error')]),
      message: Type.String(),
      status_code: Nullable(Type.Integer({ description: 'The server’s code about this mail.' })),
      failure: Nullable(Type.String({ description: 'Fixed word for why the server could not be used.' })),
    }),
  },
};
