import { Link } from '@tanstack/react-router';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { nameOf, settingValue } from './setting.ts';

/** Which e-mail field has to be confirmed, or why none can be. */
export function ConfirmedEmailSetting({ setting, changes, problems, isDisabled }: OwnSettingProps) {
  const name = nameOf(setting);
  const chosen = (settingValue(changes.values, setting) ?? null) as string | null;
  const fields = emailFields(changes.stored);
  const isGone = chosen !== null && fields.every(({ id }) => id !== chosen);
  const { mail_is_set_up: hasMail } = useWorkspace();
  // What is on can be turned off anyway.
  const canChoose = chosen !== null || (hasMail && fields.length > 0);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Field
        name={name}
        label={setting.label}
        hint={setting.hint}
        errors={problems.length > 0 ? { [name]: problems } : {}}
      >
        <Select
          value={chosen ?? ''}
          className="w-full sm:w-72"
          disabled={isDisabled || !canChoose}
          onChange={({ target }) => changes.change(setting, target.value || null)}
        >
          <option value="">None</option>
          {fields.map((field) => (
            <option key={field.id} value={field.id}>
              {field.name}
            </option>
          ))}
          {isGone && <option value={chosen}>A field that is gone</option>}
        </Select>
      </Field>
      {fields.length === 0 && (
        <p className="text-[0.8125rem] text-muted">The form has no e-mail field yet.</p>
      )}
      {isGone && (
        <p className="text-[0.8125rem] text-warn">
          Nobody is asked to confirm an address: the chosen field was deleted, or is no e-mail field any more.
        </p>
      )}
      {!hasMail && <NoMail isOn={chosen !== null} />}
    </div>
  );
}

function NoMail({ isOn }: { isOn: boolean }) {
  const { id } = useWorkspace();
  return (
    <p className="text-[0.8125rem] text-warn">
      {isOn ? 'Responses wait, as no mail can be sent' : 'This needs a mail server'}: an admin sets one in the{' '}
      <Link to="/workspaces/$workspaceId/settings" params={{ workspaceId: String(id) }} className="underline">
        settings of the workspace
      </Link>
      , or whoever runs this service does (<code>SMTP_URL</code>).
    </p>
  );
}

function emailFields({ properties }: Form): { id: string; name: string }[] {
  return properties.flatMap(({ id, name, type }) =>
    canonicalTypeName(String(type)) === 'email' ? { id: String(id), name: String(name) } : [],
  );
}
