import { isOn } from '../../../fields/block-options/options.ts';
import { allowedActions } from '../../../fields/logic/check-logic.ts';
import type { ConditionGroup, Property } from '../../../fields/property.ts';

/** The flag that each action changes, and its new value. */
const TURNS: ReadonlyMap<string, readonly ['hidden' | 'required' | 'disabled', boolean]> = new Map([
  ['show-block', ['hidden', false]],
  ['hide-block', ['hidden', true]],
  ['require-answer', ['required', true]],
  ['make-it-optional', ['required', false]],
  ['enable-block', ['disabled', false]],
  ['disable-block', ['disabled', true]],
]);

/** Whether an action changes anything: a block that is never hidden cannot be shown. */
export function makesDifference(block: Property, action: string): boolean {
  const turns = TURNS.get(action);
  return turns === undefined || isOn(block[turns[0]]) !== turns[1];
}

/** The actions of a block's logic, including those without effect. */
export function actionsOf({ logic }: Property): readonly string[] {
  return Array.isArray(logic?.actions) ? logic.actions : [];
}

/** The actions to choose from. Showing is always offered, because the block is then hidden otherwise. */
export function offeredActions(block: Property): string[] {
  return [...TURNS.keys()].filter((action) => isOffered(withNeeded(block, [action]), action));
}

/** The actions with another one added; a block is either shown or hidden. */
export function withAction(actions: readonly string[], action: string): string[] {
  const other = { 'show-block': 'hide-block', 'hide-block': 'show-block' }[action];
  return [...actions.filter((one) => one !== action && one !== other), action];
}

/**
 * The block with this logic and the flag that its actions need: hidden if they show it, shown if they hide it. If no action shows
 * it any more, `wasHidden` decides.
 */
export function withLogic(
  block: Property,
  conditions: ConditionGroup | null,
  actions: readonly string[],
  wasHidden: boolean,
): Property {
  const { logic: _, ...rest } = withNeeded(block, actions);
  const next: Property = rest;
  if (isShownByLogic(block) && !/(show|hide)-block/.test(actions.join())) next.hidden = wasHidden;
  if (conditions === null) return next;
  const kept = actions.filter((action) => isOffered(next, action));
  return { ...next, logic: { conditions, actions: kept } };
}

/** Whether it is hidden until its logic's conditions are met. */
export function isShownByLogic(block: Property): boolean {
  return isOn(block.hidden) && Boolean(block.logic?.conditions) && actionsOf(block).includes('show-block');
}

/** Removes actions without effect, some of which the service refuses. */
export function withoutIdleActions(block: Property): Property {
  const actions = actionsOf(block);
  const kept = actions.filter((action) => isOffered(block, action));
  if (kept.length === actions.length) return block;
  // A block that was hidden by its logic was shown otherwise; now that it is always hidden, the condition can only show it.
  const left = kept.length > 0 || !isOn(block.hidden) ? kept : ['show-block'];
  return { ...block, logic: { ...block.logic, actions: left } };
}

function withNeeded(block: Property, actions: readonly string[]): Property {
  if (actions.includes('show-block')) return isOn(block.hidden) ? block : { ...block, hidden: true };
  return actions.includes('hide-block') && isOn(block.hidden) ? { ...block, hidden: false } : block;
}

function isOffered(block: Property, action: string): boolean {
  return allowedActions(block).includes(action) && makesDifference(block, action);
}
