import { ListTree, Plus } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { type ConditionGroup, isJsonObject, type Property } from '../../../fields/property.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useBuilder } from '../builder-context.ts';
import { isPageBreak } from '../pages/pages.ts';
import { ConditionTree } from './condition-group.tsx';
import { differOnlyInValues, newCondition, newGroup, readGroup } from './condition-tree.ts';
import { actionsOf, makesDifference, offeredActions, withAction } from './logic-actions.ts';
import {
  ACTIONS,
  askable,
  fieldsById,
  logicSentence,
  operatorsFor,
  validationSentence,
} from './logic-words.ts';

interface EditorProps {
  block: Property;
  blocks: readonly Property[];
}

/** When something happens to a block, and what. */
export function LogicEditor({ block, blocks }: EditorProps) {
  const { edit, refusal, calculations } = useBuilder();
  const group = readGroup(block.logic?.conditions);
  const others = blocks.filter(({ id }) => id !== block.id);
  const fields = askable([...others, ...calculations]);
  const actions = actionsOf(block);
  const [box, moveFocus] = useFocusMove();
  const set = (conditions: ConditionGroup | null, next: readonly string[]) =>
    edit({ do: 'set-logic', id: block.id, conditions, actions: next });
  if (!group) {
    const before = new Set(blocks.slice(0, blocks.indexOf(block)));
    const first = fields.findLast((field) => before.has(field));
    const start = first ?? fields[0];
    return (
      <Nothing
        text={
          isPageBreak(block)
            ? 'Show or skip this page depending on other answers.'
            : 'Show, hide or require this depending on other answers.'
        }
        action="Add logic"
        reason={refusal ?? (start ? null : 'The form has no other field to ask about.')}
        box={box}
        onStart={() => {
          if (!start) return;
          moveFocus();
          set(newGroup([newCondition(start)]), ['show-block']);
        }}
      />
    );
  }
  const offered = offeredActions(block);
  // An action without effect that was chosen elsewhere can be removed, even if it is not offered.
  const idle = actions.filter((action) => !offered.includes(action));
  return (
    <div ref={box} className="grid grid-cols-1 gap-4">
      <Sentence text={logicSentence(block, fieldsById(blocks, calculations))} />
      <ConditionTree
        group={group}
        fields={fields}
        isValidation={false}
        onChange={(next) =>
          edit({
            do: 'change',
            id: block.id,
            members: { logic: { conditions: next as never, actions: [...actions] } },
            isTyped: differOnlyInValues(group, next),
          })
        }
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">Then</legend>
        {[...offered, ...idle].map((action) => (
          <Checkbox
            key={action}
            label={ACTIONS[action] ?? action}
            hint={OTHERWISE[action]}
            checked={
              actions.includes(action) && (makesDifference(block, action) || !offered.includes(action))
            }
            disabled={refusal !== null}
            onChange={(event) =>
              set(
                group,
                event.target.checked
                  ? withAction(actions, action)
                  : actions.filter((other) => other !== action),
              )
            }
          />
        ))}
      </fieldset>
      <Button
        size="sm"
        className="justify-self-start"
        disabledReason={refusal}
        onClick={() => {
          moveFocus();
          set(null, []);
        }}
      >
        Remove the logic
      </Button>
    </div>
  );
}

const OTHERWISE: Readonly<Record<string, string>> = {
  'show-block': 'Otherwise it is hidden.',
  'hide-block': 'Otherwise it is shown.',
};

/** Conditions that an answer must meet. */
export function ValidationEditor({ block, blocks }: EditorProps) {
  const { edit, refusal, calculations } = useBuilder();
  const rule = block.validation?.error_conditions;
  const group = readGroup(isJsonObject(rule) ? rule.conditions : null);
  const fields = askable([...blocks, ...calculations], { isValidation: true });
  const message = block.validation?.error_message ?? '';
  const [box, moveFocus] = useFocusMove();
  const change = (conditions: ConditionGroup | null, text: string) =>
    edit({
      do: 'change',
      id: block.id,
      members: {
        validation: conditions
          ? ({ error_conditions: { conditions, actions: [] }, error_message: text } as never)
          : undefined,
      },
      isTyped: group !== null && conditions !== null && differOnlyInValues(group, conditions),
    });
  if (!group) {
    const canAskItself = operatorsFor(block, { isValidation: true }).length > 0;
    return (
      <Nothing
        text="Refuse answers that break a rule of your own, and say why."
        action="Add a rule"
        reason={refusal ?? (canAskItself ? null : 'Answers of this kind cannot be judged by rules.')}
        box={box}
        onStart={() => {
          moveFocus();
          change(newGroup([newCondition(block, { isValidation: true })]), '');
        }}
      />
    );
  }
  return (
    <div ref={box} className="grid grid-cols-1 gap-4">
      <Sentence text={validationSentence(block, fieldsById(blocks, calculations))} />
      <ConditionTree group={group} fields={fields} isValidation onChange={(next) => change(next, message)} />
      <Field name="error_message" label="What is said otherwise">
        <Input
          value={message}
          placeholder="Invalid input"
          readOnly={refusal !== null}
          onChange={(event) => change(group, event.target.value)}
        />
      </Field>
      <Button
        size="sm"
        className="justify-self-start"
        disabledReason={refusal}
        onClick={() => {
          moveFocus();
          change(null, '');
        }}
      >
        Remove the rule
      </Button>
    </div>
  );
}

function Sentence({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p dir="auto" className="flex gap-2 rounded-lg bg-sunken px-3 py-2 break-words">
      <ListTree aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0">{text.endsWith('…') ? text : `${text}.`}</span>
    </p>
  );
}

interface NothingProps {
  text: string;
  action: string;
  reason: string | null;
  box: RefObject<HTMLDivElement | null>;
  onStart(): void;
}

function Nothing({ text, action, reason, box, onStart }: NothingProps) {
  return (
    <div ref={box} className="grid justify-items-start gap-3">
      <p className="text-muted">{text}</p>
      <Button size="sm" icon={<Plus className="size-4" />} disabledReason={reason} onClick={onStart}>
        {action}
      </Button>
    </div>
  );
}

/** When a button removes itself, the focus goes to the first condition, or to the button that adds one. */
function useFocusMove(): [box: RefObject<HTMLDivElement | null>, moveFocus: () => void] {
  const box = useRef<HTMLDivElement>(null);
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    box.current?.querySelector<HTMLElement>('select[aria-label=Field], :scope > button')?.focus();
  });
  return [
    box,
    () => {
      isWanted.current = true;
    },
  ];
}
