import Type from 'typebox';
import { Nullable } from '../http/schemas/nullable.ts';
import { Problem } from '../http/schemas/problem.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';
import { EMAIL_MAX_LENGTH } from './email.ts';

export const PASSWORD_MIN_LENGTH = 8;
/** Nobody types more, and hashing megabytes would keep the machine busy. */
export const PASSWORD_MAX_LENGTH = 1024;

const ADDRESS = {
  minLength: 1,
  maxLength: EMAIL_MAX_LENGTH,
  description:
    'E-mail address. Upper and lower case of A to Z are the same; international domains are stored as in `xn--…`.',
};
/** An address to look up: a malformed one is an unknown one. */
const Email = Type.String(ADDRESS);
/** An address that mail can be sent to. Routes trim white space around it. */
export const NewAddress = Type.String({ ...ADDRESS, format: 'email' });
const Name = RequiredText(255);
const NewPassword = Type.String({ minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH });
/** A password to compare: a malformed one is a wrong one. */
const Password = Type.String({ maxLength: PASSWORD_MAX_LENGTH });

/** 403 for requests from pages of other sites, see `refuseForeignOrigin`. */
export const OtherSite = Problem('The request comes from a page of another site.');

const User = {
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  has_password: Type.Boolean({ description: 'False for an account that signs in by single sign-on alone.' }),
  service_sends_mail: Type.Boolean({
    description: 'Whether this service has a mail server. Without one, invite links have to be handed over.',
  }),
  service_runs_code: Type.Boolean({
    description: 'Whether code that admins put into forms (`custom_code`, code blocks) runs on their pages.',
  }),
};

export const UserAnswer = Type.Object(User);
export const UserChanged = Type.Object({ ...Success.properties, user: UserAnswer });

export const RegisterBody = Type.Object({
  name: Name,
  email: NewAddress,
  password: NewPassword,
  invite_token: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});

export const LoginBody = Type.Object({ email: Email, password: Password });
export const PasswordLinkBody = Type.Object({ email: Email });
export const NewPasswordBody = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The part of the link after the `#`.',
  }),
  password: NewPassword,
});
export const EmailLinkBody = Type.Object({ email: NewAddress, current_password: Password });
export const NewEmailBody = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 1104,
    description: 'The part of the link after the `#`.',
  }),
});
export const ProfileBody = Type.Object({ name: Name });
export const DeleteAccountBody = Type.Object({ current_password: Password });
export const ChangePasswordBody = Type.Object({
  current_password: Type.Optional(
    Type.String({
      maxLength: PASSWORD_MAX_LENGTH,
      description:
        'Leave it out when the account has no password yet: then the sign-in must be less than ten minutes old.',
    }),
  ),
  password: NewPassword,
});

const Time = Type.String({ format: 'date-time' });
const Code = Type.String({ minLength: 1, maxLength: 64, description: 'Six digits, or a recovery code.' });

export const SecondStepNeeded = Type.Object({
  ...Success.properties,
  second_factor_required: Type.Literal(true),
  pending_token: Type.String({ description: 'Valid for `POST /login/second-factor` for five minutes.' }),
});
export const SecondStepBody = Type.Object({
  pending_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Leave it out after single sign-on, which sets it as a cookie.',
    }),
  ),
  code: Code,
});

export const SecondFactorState = Type.Object({
  enabled: Type.Boolean(),
  confirmed_at: Nullable(Time),
  recovery_codes_left: Type.Integer(),
});
export const EnrolBody = Type.Object({ current_password: Password });
export const Enrolled = Type.Object({
  ...Success.properties,
  otpauth_uri: Type.String({ description: 'Content of the QR code. Shown only this once.' }),
  secret: Type.String({ description: 'The same secret in base32, for typing it.' }),
});
export const ConfirmBody = Type.Object({ code: Code });
export const RecoveryCodes = Type.Object({
  ...Success.properties,
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each can be used once instead of a code. Shown only this once.',
  }),
});
export const PasswordAndCodeBody = Type.Object({ current_password: Password, code: Code });

export const SessionParams = Type.Object({ sessionId: Type.String() });
export const SessionList = Type.Array(
  Type.Object({
    id: Type.Integer(),
    is_current: Type.Boolean({ description: 'Whether this request uses the session.' }),
    user_agent: Nullable(Type.String()),
    network: Nullable(
      Type.String({
        description:
          'Where the session was last used: an IPv4 address, or the /64 network of an IPv6 address.',
      }),
    ),
    created_at: Time,
    last_used_at: Time,
    ends_at: Type.String({
      format: 'date-time',
      description: 'When the session ends, unless it is used before.',
    }),
  }),
);
export const SessionsEnded = Type.Object({ ...Success.properties, ended: Type.Integer() });

export const RegistrationAnswer = Type.Object({
  registration: Type.Enum(['open', 'invite', 'closed'], {
    description: 'Who may register. `open`: anybody; `invite`: invited people; `closed`: nobody.',
  }),
  single_sign_on: Nullable(
    Type.Object({ name: Type.String({ description: 'Display name of the provider.' }) }),
  ),
  password_by_mail: Type.Boolean({
    description: 'Whether a link that resets a forgotten password can be mailed.',
  }),
});
