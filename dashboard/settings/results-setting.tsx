import { isOn, isOneOf } from '../../fields/block-options/options.ts';
import { canonicalTypeName, SUMMARISED_TYPES } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { Checkbox, Switch } from '../ui/checkbox.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { Problems } from './problems.tsx';
import { nameOf, settingValue } from './setting.ts';

interface PublicResults {
  fields: string[];
  step?: number | null;
}

interface Summarised {
  id: string;
  name: string;
  isHidden: boolean;
}

const USUAL_STEP = 5;
const MOST = 1_000;

/** The public results: which questions, and the least number of respondents. */
export function ResultsSetting({ setting, changes, problems, isDisabled }: OwnSettingProps) {
  const results = (settingValue(changes.values, setting) ?? null) as PublicResults | null;
  const isStored = Boolean(settingValue(changes.stored, setting));
  const questions = summarisedQuestions(changes.stored);
  const set = (next: PublicResults | null) => changes.change(setting, next);
  const toggle = (id: string, isOn: boolean) => {
    const fields = questions.flatMap((question) => {
      const isShown = question.id === id ? isOn : results?.fields.includes(question.id);
      return isShown ? question.id : [];
    });
    set({ ...results, fields });
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <Switch
        name={nameOf(setting)}
        label={setting.label}
        hint={setting.hint}
        checked={results !== null}
        disabled={isDisabled}
        onChange={({ target }) => set(target.checked ? { fields: asked(questions), step: USUAL_STEP } : null)}
      />
      {results !== null && (
        <>
          <fieldset className="grid grid-cols-1 gap-2">
            <legend className="mb-1.5 font-medium">Questions</legend>
            {questions.length === 0 && (
              <p className="text-muted">No question here has answers that can be counted together.</p>
            )}
            {questions.map(({ id, name, isHidden }) => (
              <Checkbox
                key={id}
                label={<bdi>{name}</bdi>}
                hint={isHidden ? 'Hidden on the form.' : undefined}
                checked={results.fields.includes(id)}
                disabled={isDisabled}
                onChange={({ target }) => toggle(id, target.checked)}
              />
            ))}
          </fieldset>
          <Field
            name="settings.public_results.step"
            label="Responses together"
            hint="Nothing is shown before so many have answered, and nothing new before as many have come or gone. With 1, whoever looks twice may know what somebody answered; with more, only who sends some responses on purpose."
          >
            <Input
              type="number"
              inputMode="numeric"
              className="max-w-24"
              min={1}
              max={MOST}
              value={results.step ?? ''}
              disabled={isDisabled}
              onChange={({ target }) =>
                set({ ...results, step: target.value === '' ? null : Number(target.value) })
              }
            />
          </Field>
          {isStored && <CopyField text={`${changes.stored.share_url}/results`} label="Link to the results" />}
        </>
      )}
      <Problems texts={problems} />
    </div>
  );
}

/** Hidden fields, such as a group from a link, are included only on request. */
function asked(questions: readonly Summarised[]): string[] {
  return questions.flatMap(({ id, isHidden }) => (isHidden ? [] : id));
}

/** Questions whose answers can be shown in summary. */
function summarisedQuestions({ properties }: Form): Summarised[] {
  return properties.flatMap(({ id, name, type, hidden }) =>
    isOneOf(SUMMARISED_TYPES, canonicalTypeName(String(type)))
      ? { id: String(id), name: String(name), isHidden: isOn(hidden) }
      : [],
  );
}
