import { SlidersHorizontal } from 'lucide-react';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { isOn } from '../../../fields/block-options/options.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { MAX_REPEATED_QUESTIONS } from '../../../fields/repeated-questions.ts';
import { CHOICE_TYPES, canonicalTypeName } from '../../../fields/type-names.ts';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox, Switch } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/input.tsx';
import { turnBlock } from '../blocks/block-actions.ts';
import {
  isFilled,
  listedQuestions,
  newQuestion,
  questionOptions,
  REPEATED_KINDS,
  repeatedKindOf,
  roomFor,
} from '../blocks/questions.ts';
import { type Builder, BuilderContext, useBuilder } from '../builder-context.ts';
import { type Edit, isQuestionEdit, type Members } from '../edits.ts';
import type { OptionSpec } from '../options/option-spec.ts';
import { ChoiceList } from './choice-editor.tsx';
import { freeName, withPasted } from './choice-list.ts';
import { ItemList } from './item-list.tsx';

interface QuestionListProps {
  block: Property;
  label: string;
  /** Renders one option of a question like those of blocks. */
  renderOption(question: Property, spec: OptionSpec): ReactNode;
}

/** The questions asked for every entry: names below each other, each with its kind and settings. */
export function QuestionList({ block, label, renderOption }: QuestionListProps) {
  const builder = useBuilder();
  const inner = useMemo(() => builderOf(builder, block.id), [builder, block.id]);
  /** Id of the question whose settings are open. */
  const [open, setOpen] = useState<string | null>(null);
  const { edit, refusal } = inner;
  const questions = listedQuestions(block);
  const [usual] = REPEATED_KINDS;
  if (!usual) return null;
  return (
    <BuilderContext value={inner}>
      <ItemList
        label={label}
        word="Question"
        most={MAX_REPEATED_QUESTIONS}
        refusal={refusal}
        items={questions.map((question, index) => ({
          key: question.id,
          name: question.name,
          isFilled: isFilled(question),
          aside: (
            <IconButton
              size="sm"
              label={`Settings of question ${index + 1}`}
              aria-expanded={open === question.id}
              onClick={() => setOpen(open === question.id ? null : question.id)}
            >
              <SlidersHorizontal className="size-4" />
            </IconButton>
          ),
          more: (
            <QuestionSettings
              question={question}
              number={index + 1}
              isOpen={open === question.id}
              renderOption={renderOption}
            />
          ),
        }))}
        onRename={(index, name) =>
          edit({ do: 'change', id: questions[index]?.id ?? '', members: { name }, isTyped: true })
        }
        onAdd={(at) =>
          edit({
            do: 'add',
            blocks: roomFor(questions, [newQuestion(usual, freeName(questions as JsonValue[], 'Question'))]),
            at,
          })
        }
        onPaste={(at, names, dropped) => {
          const into = dropped.has(at - 1) ? questions[at - 1] : undefined;
          // A question that is pasted over is only renamed, so that its answers stay with it.
          const added = names.map((name, index) =>
            into && index === 0 ? { ...into, name } : newQuestion(usual, name),
          );
          const next = withPasted(questions, at, added, dropped);
          builder.edit({ do: 'change', id: block.id, members: { questions: next as JsonValue[] } });
        }}
        onRemove={(index) => edit({ do: 'remove', id: questions[index]?.id ?? '' })}
        onMove={(from, to) => edit({ do: 'move', id: questions[from]?.id ?? '', to })}
      />
    </BuilderContext>
  );
}

interface SettingsProps {
  question: Property;
  number: number;
  isOpen: boolean;
  renderOption: QuestionListProps['renderOption'];
}

function QuestionSettings({ question, number, isOpen, renderOption }: SettingsProps) {
  const builder = useBuilder();
  const { edit, refusal } = builder;
  const isOff = refusal !== null;
  const { id } = question;
  const kind = repeatedKindOf(question);
  const set = (members: Members) => edit({ do: 'change', id, members });
  return (
    <div className="grid gap-3 pb-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Select
          aria-label={`Type of question ${number}`}
          className="min-w-28 flex-1"
          disabled={isOff}
          value={kind?.key ?? ''}
          onChange={({ target }) => {
            const next = REPEATED_KINDS.find(({ key }) => key === target.value);
            if (next) turnBlock(builder, question, next);
          }}
        >
          {!kind && <option value="">{question.type}</option>}
          {REPEATED_KINDS.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </Select>
        <Checkbox
          label="Required"
          aria-label={`Question ${number} is required`}
          checked={isOn(question.required)}
          disabled={isOff}
          onChange={({ target }) => set({ required: target.checked })}
        />
      </div>
      {isOpen && (
        <fieldset className="grid gap-4 rounded-lg border border-line bg-sunken p-3">
          <legend className="sr-only">Settings of question {number}</legend>
          {CHOICE_TYPES.includes(canonicalTypeName(question.type)) && (
            <ChoiceList block={question} isRepeated />
          )}
          {questionOptions(question).map((spec) => (
            <Fragment key={spec.key}>{renderOption(question, spec)}</Fragment>
          ))}
          <Switch
            label="Half as wide"
            hint="Two such questions stand beside each other where there is room."
            checked={question.width === '1/2'}
            disabled={isOff}
            onChange={({ target }) => set({ width: target.checked ? '1/2' : undefined })}
          />
        </fieldset>
      )}
    </div>
  );
}

/** A builder for the questions within a block: their edits become edits of the block. */
function builderOf(builder: Builder, id: string): Builder {
  const within = (edit: Edit) =>
    builder.edit(isQuestionEdit(edit) ? { do: 'change-questions', id, edit } : edit);
  const questions = () => {
    const block = builder.blocks().find((one) => one.id === id);
    return block ? listedQuestions(block) : [];
  };
  // Repeated questions take no files.
  return { ...builder, edit: within, blocks: questions, holdsFiles: () => false };
}
