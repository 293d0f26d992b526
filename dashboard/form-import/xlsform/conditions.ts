import type { Property } from '../../../fields/property.ts';
import { ALWAYS, all, NEVER, type Test } from '../boolean-tests.ts';
import { acceptOnlyWhen, requireWhen, showOnlyWhen } from '../conditions.ts';
import { testOf } from '../expression-conditions.ts';
import { parseExpression, SELF } from '../expressions.ts';
import type { Asked, Maker } from '../maker.ts';
import { cellOf, type Row } from '../rows.ts';
import { exclusiveIn } from './exclusive.ts';
import type { XlsContext } from './questions.ts';
import { wordsIn } from './sheets.ts';
import { type Frame, NO, type Survey, YES } from './survey.ts';

/** Applies what the columns relevant, constraint and required say; notes what cannot be expressed here. */
export function applyConditions({ heads, asked }: Survey, context: XlsContext): void {
  const { maker } = context;
  for (const { block, frames } of heads) show(maker, block, frames, '');
  for (const { row, block, frames, isOnce } of asked) {
    show(maker, block, frames, cellOf(row, 'relevant'));
    check(context, row, block);
    if (!isOnce) requireAnswer(maker, row, block);
  }
}

function show(maker: Maker, block: Property, around: readonly Frame[], own: string): void {
  const tests = around.map((frame) => {
    frame.test ??= shownWhen(maker, frame.name, frame.relevant);
    return frame.test;
  });
  const test = all(...tests, shownWhen(maker, block.name, own));
  showOnlyWhen(block, test, (text) => maker.note(block.name, text));
}

/** Always true if the condition cannot be expressed here. */
function shownWhen(maker: Maker, about: string, text: string): Test {
  if (text === '') return ALWAYS;
  const test = read(maker, text);
  if (test === null) maker.note(about, `The condition under which it is shown is left out: ${text}`);
  return test ?? ALWAYS;
}

function check({ maker, languages }: XlsContext, row: Row, block: Property): void {
  const text = cellOf(row, 'constraint');
  const self = maker.find(cellOf(row, 'name'));
  if (text === '' || !self) return;
  const message = wordsIn(row, 'constraint_message', languages);
  if (block.type === 'multi_select' && exclusiveIn(row)) {
    if (message.text !== '')
      maker.note(block.name, `What was said if a choice ruled out others is left out: ${message.text}`);
    return;
  }
  const test = read(maker, text, self);
  if (test === null) {
    maker.note(block.name, `What is checked of its answer is left out: ${text}`);
    return;
  }
  acceptOnlyWhen(self, block, test, message.text);
  maker.say(block.id, 'error_message', message);
}

function requireAnswer(maker: Maker, row: Row, block: Property): void {
  const text = cellOf(row, 'required');
  if (block.type.startsWith('nf-') || text === '') return;
  const test = read(maker, text);
  if (test === null || !requireWhen(block, test))
    maker.note(block.name, `It was required under a condition, which is left out: ${text}`);
}

/** @param self the answer that `.` refers to */
function read(maker: Maker, text: string, self?: Asked): Test | null {
  if (YES.test(text)) return ALWAYS;
  if (NO.test(text)) return NEVER;
  const expression = parseExpression(text, 'xpath');
  return expression && testOf(expression, (name) => (name === SELF ? self : maker.find(name)));
}
