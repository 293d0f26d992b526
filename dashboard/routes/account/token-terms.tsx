import type { Body, Errors } from '../../api/client.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';

type Ability = Body<'/settings/tokens', 'post'>['abilities'][number];

const MEANINGS: Record<Ability, string> = {
  'forms-read': 'Read forms and answers',
  'forms-write': 'Make, change and delete forms and responses',
  'manage-integrations': 'Read and change integrations',
  'workspaces-read': 'Read workspaces',
  'workspaces-write': 'Make, change and delete workspaces, read the audit log',
  'workspace-users-read': 'Read members',
  'workspace-users-write': 'Invite, change and remove members',
};
export const ABILITIES = Object.keys(MEANINGS) as Ability[];
const ENDS: [string, string][] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
  ['', 'Never'],
];

/** The abilities of a token, as `abilities` of the form data. */
export function AbilityChoice<Offered extends Ability>({
  offered,
  chosen,
  isMissing,
}: {
  offered: readonly Offered[];
  chosen: readonly Offered[];
  isMissing: boolean;
}) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">What it may do</legend>
      {offered.map((ability) => (
        <Checkbox
          key={ability}
          name="abilities"
          value={ability}
          label={
            <>
              {MEANINGS[ability]} <code className="text-xs whitespace-nowrap text-muted">{ability}</code>
            </>
          }
          defaultChecked={chosen.includes(ability)}
        />
      ))}
      {isMissing && (
        <p role="alert" className="text-[0.8125rem] text-bad">
          Choose at least one.
        </p>
      )}
    </fieldset>
  );
}

export function TokenEnd({ errors }: { errors: Errors }) {
  return (
    <Field name="expires_in_days" label="Ends after" errors={errors}>
      <Select defaultValue="90">
        {ENDS.map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** The chosen abilities and expiry. */
export function readTokenTerms<Offered extends Ability = Ability>(data: FormData) {
  const days = String(data.get('expires_in_days'));
  return {
    abilities: data.getAll('abilities') as Offered[],
    expires_in_days: days === '' ? null : Number(days),
  };
}
