import { isOn } from '../../fields/block-options/options.ts';
import type { Condition, ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { listedQuestions } from './blocks/questions.ts';
import { conditionAbout } from './blocks/turn-into.ts';
import type { Definition } from './definition.ts';
import { isShownByLogic, withLogic, withoutIdleActions } from './logic/logic-actions.ts';
import { pagesOf, withPageMoved } from './pages/pages.ts';
import { changeConditionsOn, withNewIds } from './references.ts';
import { withLineRenamed, withOptionRenamed } from './renames.ts';

/** The form as it is built, and the states that undo and redo lead to. */
export interface UndoSteps {
  now: Definition;
  past: readonly Definition[];
  future: readonly Definition[];
}

export interface BuilderState extends UndoSteps {
  /** Id of the block whose settings are open. */
  selected: string | null;
  /** Key of the text being typed: successive edits with the same key are one undo step. */
  typing: string | null;
}

export type Members = Record<string, JsonValue | undefined>;

/** All edits of a form. They contain the new ids, so that the result does not depend on chance. */
export type Edit =
  | { do: 'select'; id: string | null }
  | { do: 'add'; blocks: readonly Property[]; at: number }
  | { do: 'move'; id: string; to: number }
  /** Moves a page with all its blocks, by indexes of pages. */
  | { do: 'move-page'; from: number; to: number }
  /** With new ids for the questions that the block repeats. */
  | { do: 'duplicate'; id: string; copyId: string; questionIds?: readonly string[] }
  | { do: 'remove'; id: string }
  | { do: 'change'; id: string; members: Members; isTyped?: boolean }
  /** Changes the type of a question and the given members; conditions about it are adapted. */
  | { do: 'turn'; id: string; type: string; members: Members }
  /** Sets a block's logic, which also decides whether it is hidden otherwise; without conditions it is removed. */
  | { do: 'set-logic'; id: string; conditions: ConditionGroup | null; actions: readonly string[] }
  | { do: 'rename-choice'; id: string; index: number; name: string }
  /** Of a matrix. */
  | { do: 'rename-line'; id: string; list: 'rows' | 'columns'; index: number; name: string }
  /** An edit of the questions that a block repeats, as if they were the blocks of a form. */
  | { do: 'change-questions'; id: string; edit: QuestionEdit }
  | { do: 'change-form'; members: Partial<Omit<Definition, 'properties' | 'others'>> }
  /** Ends the typing: the next edit is a new undo step. */
  | { do: 'settle' }
  | { do: 'undo' }
  | { do: 'redo' }
  /** Replaces the form, in one undo step. */
  | { do: 'become'; definition: Definition }
  /** Replaces the form, and clears the undo steps. */
  | { do: 'replace'; definition: Definition }
  /** Replaces the form and all its undo steps. */
  | { do: 'replace-steps'; steps: UndoSteps };

const QUESTION_EDITS = ['add', 'move', 'remove', 'change', 'turn', 'rename-choice'] as const;
type QuestionEdit = Extract<Edit, { do: (typeof QUESTION_EDITS)[number] }>;

/** Most undo steps. */
const MOST_STEPS = 200;
/** Changing one of these flags changes which actions make sense. */
const STATE_FLAGS = ['hidden', 'required', 'disabled'];

export function startBuilding(definition: Definition): BuilderState {
  return { now: definition, past: [], future: [], selected: null, typing: null };
}

/** The state after an edit; unchanged parts stay the same objects. */
export function applyEdit(state: BuilderState, edit: Edit): BuilderState {
  switch (edit.do) {
    case 'select':
      return state.selected === edit.id ? state : { ...state, selected: edit.id, typing: null };
    case 'settle':
      return state.typing === null ? state : { ...state, typing: null };
    case 'undo':
      return undo(state);
    case 'redo':
      return redo(state);
    case 'replace':
      return { ...startBuilding(edit.definition), selected: stillThere(edit.definition, state.selected) };
    case 'replace-steps':
      return { ...edit.steps, selected: stillThere(edit.steps.now, state.selected), typing: null };
    default:
      return withStep(state, edit);
  }
}

/** Whether an edit applies to the questions that a block repeats. */
export function isQuestionEdit(edit: Edit): edit is QuestionEdit {
  return (QUESTION_EDITS as readonly string[]).includes(edit.do);
}

type Step = Exclude<Edit, { do: 'select' | 'settle' | 'undo' | 'redo' | 'replace' | 'replace-steps' }>;

function withStep(state: BuilderState, edit: Step): BuilderState {
  const typing = typingKey(edit);
  const goesOn = typing !== null && typing === state.typing;
  const now = definitionAfter(goesOn && isRename(edit) ? beforeTyping(state) : state, edit);
  if (now === state.now) return state;
  return {
    now,
    past: goesOn ? state.past : [...state.past, state.now].slice(-MOST_STEPS),
    future: [],
    selected: selectedAfter(state, edit, now),
    typing,
  };
}

/** What is typed of a name may be the name of another one on the way: so a rename is from the name before the typing. */
function isRename(edit: Step): boolean {
  if (edit.do === 'change-questions') return isRename(edit.edit);
  return edit.do === 'rename-choice' || edit.do === 'rename-line';
}

function beforeTyping({ now, past }: BuilderState): Pick<BuilderState, 'now' | 'past'> {
  return { now: past.at(-1) ?? now, past: past.slice(0, -1) };
}

function undo(state: BuilderState): BuilderState {
  const before = state.past.at(-1);
  if (!before) return state;
  return {
    now: before,
    past: state.past.slice(0, -1),
    future: [state.now, ...state.future],
    selected: stillThere(before, state.selected),
    typing: null,
  };
}

function redo(state: BuilderState): BuilderState {
  const [next, ...future] = state.future;
  if (!next) return state;
  return {
    now: next,
    past: [...state.past, state.now],
    future,
    selected: stillThere(next, state.selected),
    typing: null,
  };
}

function definitionAfter({ now: form, past }: Pick<BuilderState, 'now' | 'past'>, edit: Step): Definition {
  const { properties } = form;
  switch (edit.do) {
    case 'become':
      return edit.definition;
    case 'change-form':
      return hasAll(form, edit.members) ? form : { ...form, ...edit.members };
    case 'add':
      return edit.blocks.length === 0
        ? form
        : {
            ...form,
            properties: properties.toSpliced(within(edit.at, properties.length), 0, ...edit.blocks),
          };
    case 'move':
      return moved(form, edit.id, edit.to);
    case 'move-page':
      return pageMoved(form, edit.from, edit.to);
    case 'duplicate':
      return duplicated(form, edit.id, [edit.copyId, ...(edit.questionIds ?? [])]);
    case 'remove': {
      const rest = properties.filter(({ id }) => id !== edit.id);
      return rest.length === properties.length ? form : { ...form, properties: rest };
    }
    case 'change':
      return withBlock(form, edit.id, (block) => changed(block, edit.members));
    case 'turn':
      return turned(form, edit.id, edit.type, edit.members);
    case 'set-logic':
      return withBlock(form, edit.id, (block) =>
        withLogic(block, edit.conditions, edit.actions, wasHidden(past, edit.id)),
      );
    case 'rename-choice':
      return withBlocks(form, withOptionRenamed(properties, edit.id, edit));
    case 'rename-line':
      return withBlocks(form, withLineRenamed(properties, edit.id, edit.list, edit));
    case 'change-questions':
      return withBlock(form, edit.id, (block) => {
        const questions = listedQuestions(block);
        const { properties: next } = definitionAfter(
          { now: { ...form, properties: questions }, past: [] },
          edit.edit,
        );
        return next === questions ? block : changed(block, { questions: [...next] as JsonValue[] });
      });
  }
}

function moved(form: Definition, id: string, to: number): Definition {
  const from = indexOf(form, id);
  const block = form.properties[from];
  const target = within(to, form.properties.length - 1);
  if (!block || from === target) return form;
  return { ...form, properties: form.properties.toSpliced(from, 1).toSpliced(target, 0, block) };
}

function pageMoved(form: Definition, from: number, to: number): Definition {
  const last = pagesOf(form.properties).length - 1;
  if (from !== within(from, last) || from === within(to, last)) return form;
  return { ...form, properties: withPageMoved(form.properties, from, within(to, last)) };
}

function duplicated(form: Definition, id: string, newIds: readonly string[]): Definition {
  const at = indexOf(form, id);
  const block = form.properties[at];
  if (!block) return form;
  // In the copy, a rule about the block's own answer refers to the copy's answer.
  const left = [...newIds];
  const [copy = block] = withNewIds([block], () => left.shift() ?? '');
  return { ...form, properties: form.properties.toSpliced(at + 1, 0, copy) };
}

function changed(block: Property, members: Members): Property {
  if (hasAll(block, members)) return block;
  const next: Property = { ...block };
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) delete next[key];
    else next[key] = value;
  }
  return Object.keys(members).some((key) => STATE_FLAGS.includes(key)) ? withoutIdleActions(next) : next;
}

function turned(form: Definition, id: string, type: string, members: Members): Definition {
  const after = withBlock(form, id, (block) => changed(block, { ...members, type }));
  if (after === form) return form;
  const about = (condition: Condition) => conditionAbout(condition, type);
  return { ...after, properties: changeConditionsOn(after.properties, id, about) };
}

/** Whether a block was hidden before its logic began to show it; if unknown, it was hidden by its logic. */
function wasHidden(past: readonly Definition[], id: string): boolean {
  for (const { properties } of past.toReversed()) {
    const block = properties.find((one) => one.id === id);
    if (block && !isShownByLogic(block)) return isOn(block.hidden);
  }
  return false;
}

function withBlocks(form: Definition, properties: Definition['properties']): Definition {
  return properties === form.properties ? form : { ...form, properties };
}

function withBlock(form: Definition, id: string, change: (block: Property) => Property): Definition {
  const at = indexOf(form, id);
  const block = form.properties[at];
  const next = block && change(block);
  return !next || next === block ? form : { ...form, properties: form.properties.with(at, next) };
}

function typingKey(edit: Step): string | null {
  if (edit.do === 'change' && edit.isTyped) return `${edit.id} ${Object.keys(edit.members).join()}`;
  if (edit.do === 'rename-choice') return `${edit.id} option ${edit.index}`;
  if (edit.do === 'rename-line') return `${edit.id} ${edit.list} ${edit.index}`;
  if (edit.do === 'change-questions') {
    const inner = typingKey(edit.edit);
    return inner === null ? null : `${edit.id} ${inner}`;
  }
  return edit.do === 'change-form' ? Object.keys(edit.members).join() : null;
}

function selectedAfter(state: BuilderState, edit: Step, now: Definition): string | null {
  if (edit.do === 'add') return edit.blocks.at(-1)?.id ?? state.selected;
  if (edit.do === 'duplicate') return edit.copyId;
  return stillThere(now, state.selected);
}

function stillThere(form: Definition, id: string | null): string | null {
  return id !== null && indexOf(form, id) >= 0 ? id : null;
}

function indexOf(form: Definition, id: string): number {
  return form.properties.findIndex((block) => block.id === id);
}

function hasAll(object: object, members: object): boolean {
  return Object.entries(members).every(([key, value]) => (object as Record<string, unknown>)[key] === value);
}

function within(index: number, max: number): number {
  return Math.min(Math.max(index, 0), max);
}
