import { type FormEvent, useRef, useState } from 'react';
import type { Answers } from '../../fields/property.ts';
import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { Preview } from '../form-builder/preview/preview.tsx';
import type { FormDraft } from '../form-builder/saving/draft.ts';
import { useLeaving } from '../shell/use-leaving.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { MAX_NAME, type NamedParts, scenariosQuery } from './queries.ts';
import { answersIn, followAnswers } from './read-frame.ts';

interface AddScenarioProps {
  form: Form;
  draft: FormDraft | null;
  parts: NamedParts;
  onAdded(id: number): void;
  onClose(): void;
}

/** Takes the answers that are entered in the preview, and expects what comes of them now. */
export function AddScenario({ form, draft, parts, onAdded, onClose }: AddScenarioProps) {
  const formId = String(form.id);
  const { blocks } = parts;
  const frame = useRef<HTMLIFrameElement>(null);
  const entered = useRef<Answers>({});
  const [isShown, setShown] = useState(false);
  const [isTouched, setTouched] = useState(false);
  // The preview loads anew for another object.
  const definition = useRef({ ...draft?.definition, properties: blocks });
  const add = useAction(
    (body: { name: string; blocks_publishing: boolean; answers: Answers }) =>
      api.post('/open/forms/{form}/scenarios', { path: { form: formId }, body }),
    {
      refresh: [scenariosQuery(formId).queryKey],
      toast: ({ scenario }) => `${scenario.name} is added. It expects what happens now.`,
      onDone: ({ scenario }) => onAdded(scenario.id),
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const answers = (frame.current && answersIn(frame.current, blocks)) ?? entered.current;
    add.run({ name: String(sent.get('name')), blocks_publishing: sent.has('blocks_publishing'), answers });
  };
  const leaving = useLeaving(isTouched, 'The answers of this scenario would be lost.');
  const { name: _, ...others } = add.errors;
  const problems = Object.values(others).flat();
  return (
    <section
      aria-labelledby="add-scenario"
      className="grid gap-5 rounded-xl border border-line bg-surface p-4 sm:p-5 lg:grid-cols-2"
    >
      <form onSubmit={submit} onInput={() => setTouched(true)} className="grid min-w-0 content-start gap-4">
        <h3 id="add-scenario" className="font-semibold">
          Add a scenario
        </h3>
        <p className="text-muted">
          Fill in the form as somebody might, rightly or wrongly. Make the answers up: they are kept with the
          form. What comes of them now is what the scenario expects; you can change that afterwards.
        </p>
        {problems.length > 0 && <Notice tone="bad">{problems.join(' ')}</Notice>}
        <Field name="name" label="Name" hint="Such as: Adult with a discount" errors={add.errors}>
          <Input required readOnly={add.isRunning} maxLength={MAX_NAME} autoComplete="off" />
        </Field>
        <BlocksPublishing />
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            disabledReason={add.isRunning ? 'It is being added' : null}
            onClick={() => leaving.before(onClose)}
          >
            Cancel
          </Button>
          <Button
            type="submit"
            look="primary"
            isRunning={add.isRunning}
            disabledReason={isShown ? null : 'The form is not shown yet.'}
          >
            Add scenario
          </Button>
        </div>
      </form>
      {/* What is entered while it is being added would go with the preview. */}
      <div inert={add.isRunning} className="h-[70dvh] min-h-96 min-w-0">
        <Preview
          formId={form.id}
          definition={definition.current}
          onPage={(page) => {
            frame.current = page;
            setShown(true);
            followAnswers(page, blocks, (answers, event) => {
              entered.current = answers;
              if (event !== null) setTouched(true);
            });
          }}
        />
      </div>
      {leaving.question}
    </section>
  );
}

/** Whether a form that fails it cannot be published. */
export function BlocksPublishing({ isOn }: { isOn?: boolean }) {
  return (
    <Checkbox
      name="blocks_publishing"
      defaultChecked={isOn}
      label="Blocks publishing"
      hint="The form cannot be published while it fails this scenario."
    />
  );
}
