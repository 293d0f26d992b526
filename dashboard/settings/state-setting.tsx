import { Link } from '@tanstack/react-router';
import type { Form } from '../api/queries.ts';
import { isYetToBePublished } from '../lib/publishing.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';

const STATES: readonly (readonly [Form['visibility'], string])[] = [
  ['public', 'Published: everybody with the link'],
  ['draft', 'Draft: nobody'],
  ['closed', 'Closed: visitors read that it is closed'],
];

/** Whether people can fill in the form. The first publication is done in the builder, where its questions are. */
export function StateSetting({ setting, changes, problems, isDisabled }: OwnSettingProps) {
  const { stored, values } = changes;
  const isNew = isYetToBePublished(stored);
  return (
    <Field
      name="visibility"
      label={setting.label}
      hint={
        isNew && (
          <>
            It is published{' '}
            <Link
              to="/workspaces/$workspaceId/forms/$formId/build"
              params={{ workspaceId: String(stored.workspace_id), formId: String(stored.id) }}
              search={{ publish: true }}
              className="rounded text-accent underline"
            >
              in the builder
            </Link>
            , with the questions as they are there.
          </>
        )
      }
      errors={{ visibility: problems }}
    >
      <Select
        value={values.visibility}
        className="w-full sm:w-72"
        disabled={isDisabled}
        onChange={({ target }) => changes.change(setting, target.value)}
      >
        {STATES.filter(([state]) => !isNew || state !== 'public').map(([state, name]) => (
          <option key={state} value={state}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
