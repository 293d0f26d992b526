import Type from 'typebox';
import { Success } from '../http/success.ts';
import { EMAIL_MAX_LENGTH } from './email.ts';

export const PASSWORD_MIN_LENGTH = 8;
/** Nobody types more; hashing megabytes would only keep the machine busy. */
export const PASSWORD_MAX_LENGTH = 1024;

const Email = Type.String({
  minLength: 1,
  maxLength: EMAIL_MAX_LENGTH,
  description: 'E-mail address. Upper and lower case are the same.',
});
const Name = Type.String({ minLength: 1, maxLength: 255 });
const NewPassword = Type.String({ minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH });
/** A password to compare: whatever is wrong about it is a wrong password. */
const Password = Type.String({ maxLength: PASSWORD_MAX_LENGTH });

const User = {
  id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
};

export const UserAnswer = Type.Object(User);
export const UserChanged = Type.Object({ ...Success.properties, user: UserAnswer });

export const RegisterBody = Type.Object({
  name: Name,
  email: Email,
  password: NewPassword,
  invite_token: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});

export const LoginBody = Type.Object({ email: Email, password: Password });
export const ProfileBody = Type.Object({ name: Name });
export const ChangePasswordBody = Type.Object({ current_password: Password, password: NewPassword });

export const RegistrationAnswer = Type.Object({
  registration: Type.Enum(['open', 'invite', 'closed'], {
    description: '`open`: anybody may register; `invite`: whoever was invited; `closed`: nobody.',
  }),
});
