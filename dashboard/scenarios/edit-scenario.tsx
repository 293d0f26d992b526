import { type FormEvent, type ReactNode, useState } from 'react';
import { ownMember } from '../../fields/property.ts';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select, Textarea } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { BlocksPublishing } from './add-scenario.tsx';
import { choicesOf, readExpectation } from './expectation.ts';
import {
  type Expected,
  MAX_NAME,
  type Named,
  type NamedParts,
  NO_ENDING,
  type Scenario,
  type ScenarioChanges,
  type ScenarioResult,
  scenariosQuery,
} from './queries.ts';

interface EditScenarioProps {
  formId: string;
  scenario: Scenario;
  result: ScenarioResult | undefined;
  parts: NamedParts;
  onClose(): void;
}

/** Changes what a scenario is called and expects. */
export function EditScenario({ formId, scenario, result, parts, onClose }: EditScenarioProps) {
  const { expected } = scenario;
  const [outcome, setOutcome] = useState(expected.outcome);
  const choices = choicesOf(scenario, result?.observed, parts);
  const save = useAction(
    (body: ScenarioChanges) =>
      api.put('/open/forms/{form}/scenarios/{scenarioId}', {
        path: { form: formId, scenarioId: String(scenario.id) },
        body,
      }),
    { refresh: [scenariosQuery(formId).queryKey], onDone: onClose },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    save.run({
      name: String(sent.get('name')),
      blocks_publishing: sent.has('blocks_publishing'),
      expected: readExpectation(sent, expected, (result?.observed ?? expected).computed),
    });
  };
  const { name: _, ...others } = save.errors;
  const problems = Object.values(others).flat();
  return (
    <Dialog isOpen onClose={onClose} title="Edit scenario" size="lg">
      <form onSubmit={submit} className="grid grid-cols-1 gap-5">
        {problems.length > 0 && <Notice tone="bad">{problems.join(' ')}</Notice>}
        <Field name="name" label="Name" errors={save.errors}>
          <Input required maxLength={MAX_NAME} defaultValue={scenario.name} autoComplete="off" />
        </Field>
        <Field name="outcome" label="The answers are">
          <Select
            value={outcome}
            onChange={({ target }) => setOutcome(target.value === 'refused' ? 'refused' : 'accepted')}
          >
            <option value="accepted">accepted</option>
            <option value="refused">refused</option>
          </Select>
        </Field>
        {outcome === 'refused' ? (
          <Errors fields={choices.fields} expected={expected} />
        ) : (
          <Field name="ending" label="They lead to">
            <Select defaultValue={expected.ending ?? ''}>
              <option value="">not compared</option>
              <option value={NO_ENDING}>the usual end of the form</option>
              {choices.endings.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {choices.blocks.length > 0 && <States blocks={choices.blocks} expected={expected} />}
        {choices.calculations.length > 0 && (
          <Values
            calculations={choices.calculations}
            expected={expected}
            observed={result?.observed.computed}
          />
        )}
        <BlocksPublishing isOn={scenario.blocks_publishing} />
        <HoldDialog isHeld={save.isRunning} />
        <DialogActions>
          <DialogCancel />
          <Button type="submit" look="primary" isRunning={save.isRunning}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Group({ legend, hint, children }: { legend: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="font-medium">{legend}</legend>
      {hint && <p className="text-[0.8125rem] text-muted">{hint}</p>}
      <div className="grid max-h-64 grid-cols-1 gap-2 overflow-y-auto p-0.5">{children}</div>
    </fieldset>
  );
}

interface PartProps {
  expected: Expected;
}

function Errors({ fields, expected }: PartProps & { fields: Named[] }) {
  return (
    <Group
      legend="Fields with a problem"
      hint="All of them. If none is ticked, it does not matter which have one."
    >
      {fields.map(({ id, name }) => (
        <Checkbox
          key={id}
          name={`error ${id}`}
          label={<bdi className="wrap-anywhere">{name || id}</bdi>}
          defaultChecked={expected.errors.includes(id)}
        />
      ))}
    </Group>
  );
}

function States({ blocks, expected }: PartProps & { blocks: Named[] }) {
  const stateOf = (id: string) => {
    if (expected.shown.includes(id)) return 'shown';
    return expected.hidden.includes(id) ? 'hidden' : '';
  };
  return (
    <Group legend="Blocks with conditions">
      {blocks.map(({ id, name }) => (
        <Field
          key={id}
          name={`state ${id}`}
          label={<bdi className="font-normal wrap-anywhere">{name || id}</bdi>}
          className="items-center sm:grid-cols-2"
        >
          <Select defaultValue={stateOf(id)}>
            <option value="">not compared</option>
            <option value="shown">shown</option>
            <option value="hidden">hidden</option>
          </Select>
        </Field>
      ))}
    </Group>
  );
}

function Values({
  calculations,
  expected,
  observed = {},
}: PartProps & { calculations: Named[]; observed?: Expected['computed'] | undefined }) {
  return (
    <Group
      legend="Calculations"
      hint="Ticked ones are compared. Leave the value empty if there should be none."
    >
      {calculations.map(({ id, name }) => {
        const wanted = ownMember(expected.computed, id);
        const value = String((wanted === undefined ? ownMember(observed, id) : wanted) ?? '');
        const Control = /[\r\n]/.test(value) ? Textarea : Input;
        return (
          <div key={id} className="grid grid-cols-1 items-center gap-1.5 sm:grid-cols-2">
            <Checkbox
              name={`compare ${id}`}
              label={<bdi className="wrap-anywhere">{name || id}</bdi>}
              defaultChecked={wanted !== undefined}
            />
            <Control name={`value ${id}`} aria-label={`Value of ${name || id}`} defaultValue={value} />
          </div>
        );
      })}
    </Group>
  );
}
