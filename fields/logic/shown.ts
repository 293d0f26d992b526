import { isOn } from '../block-options/options.ts';
import { type Answers, emptyAnswers, type Property } from '../property.ts';
import { isLayoutBlock } from '../type-names.ts';
import { compileState, type FieldState, type LogicScope, type Moment } from './logic.ts';

/** What a page shows for some answers. */
export interface Shown {
  /** States of all blocks by id, layout blocks too. */
  states: ReadonlyMap<string, FieldState>;
  /** The answers that would be sent: without those of fields that logic hides. */
  answers: Answers;
  /** The answers as conditions see them: typed, and with what the server fills in. */
  read: Answers;
}

/** Reads answers as the rules see them: typed, and with what the server fills in. */
type ReadAnswers = (sent: Answers, moment: Moment) => Answers;

/**
 * Decides what is shown. A hidden field's earlier answer counts neither for other fields nor when the form is sent, so hiding one
 * field may hide the next. Fields that are always hidden keep the values from the address of the page.
 */
export function compileShown(
  properties: readonly Property[],
  scope: LogicScope,
  readAnswers: ReadAnswers,
): (sent: Answers, moment?: Moment) => Shown {
  const blocks = properties.map((property) => ({
    id: property.id,
    isInput: !isLayoutBlock(property.type),
    mayBeShown: !isNeverShown(property),
    stateFor: compileState(property, scope),
  }));

  return (sent, moment = {}) => {
    let answers = sent;
    for (;;) {
      const read = readAnswers(answers, moment);
      const states = new Map(blocks.map(({ id, stateFor }) => [id, stateFor(read, moment)]));
      const gone = blocks.filter(
        ({ id, isInput, mayBeShown }) =>
          isInput && mayBeShown && states.get(id)?.hidden === true && Object.hasOwn(answers, id),
      );
      if (gone.length === 0) return { states, answers, read };
      answers = Object.assign(emptyAnswers(), answers);
      for (const { id } of gone) delete answers[id];
    }
  };
}

/** Whether a block is hidden whatever the answers are. */
export function isNeverShown({ hidden, logic }: Property): boolean {
  return isOn(hidden) && !(logic?.actions ?? []).includes('show-block');
}
