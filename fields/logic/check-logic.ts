import { isOn, isOneOf } from '../block-options/options.ts';
import type { FieldEngines } from '../engines.ts';
import { fieldTypeOf } from '../field-types.ts';
import { isJsonObject, type JsonObject, type Property } from '../property.ts';
import { isLayoutBlock } from '../type-names.ts';
import { unknownType } from '../types/unknown.ts';
import { conditionValueProblem } from './condition-values.ts';
import {
  conditionFieldId,
  hasConditions,
  isVoid,
  type LogicScope,
  logicScope,
  MAX_GROUP_DEPTH,
} from './logic.ts';

/** Problems listed for one tree. */
const MAX_DETAILS = 20;
/** Variables are not needed, as a condition about one is checked without its value. */
const NO_VARIABLES = new Map();

/**
 * Problems of a condition tree that is about to be saved, in tree order; empty when there are none, or no conditions. Accepts any JSON.
 * `properties` are those of the tree's form.
 */
export function checkConditions(
  conditions: unknown,
  properties: readonly Property[],
  engines: FieldEngines,
): string[] {
  if (!hasConditions(conditions)) return [];
  const details: string[] = [];
  checkNode(conditions, 1, { scope: logicScope(properties, engines, NO_VARIABLES), details });
  return details;
}

interface ConditionCheck {
  scope: LogicScope;
  details: string[];
}

function checkNode(node: unknown, depth: number, check: ConditionCheck): void {
  const { details } = check;
  if (details.length >= MAX_DETAILS) return;
  if (!isJsonObject(node)) details.push('wrong sub-condition type');
  else if (depth > MAX_GROUP_DEPTH) details.push('conditions nested too deeply');
  else if (node.operatorIdentifier === undefined && node.children === undefined) checkLeaf(node, check);
  else {
    const { operatorIdentifier: operator, children } = node;
    if (operator !== 'and' && operator !== 'or') details.push('missing operator');
    if (!Array.isArray(children)) details.push('wrong sub-condition type');
    else for (const child of children) checkNode(child, depth + 1, check);
  }
}

function checkLeaf(leaf: JsonObject, { scope, details }: ConditionCheck): void {
  const body = leaf.value;
  if (!isJsonObject(body)) {
    details.push('missing condition body');
    return;
  }
  const { operator, value } = body;
  const meta = isJsonObject(body.property_meta) ? body.property_meta : null;
  const fieldId = meta ? conditionFieldId(leaf, meta) : undefined;
  const typeName = meta?.type;
  if (fieldId === undefined) details.push('missing condition property');
  else if (!isName(typeName)) details.push('missing condition property type');
  if (!isName(operator)) details.push('missing condition operator');
  if (!isName(typeName) || !isName(operator)) return;

  const property = scope.propertiesById.get(fieldId ?? '');
  const type = fieldTypeOf(property?.type ?? typeName);
  const isKnown = fieldTypeOf(typeName) !== unknownType || property?.type === typeName;
  if (!isKnown || !type.operators.includes(operator)) {
    details.push(`configuration not found for condition ${isKnown ? 'operator' : 'type'}`);
    return;
  }
  const problem = conditionValueProblem(type, operator, value, scope.engines);
  if (problem !== null) details.push(problem);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Problems of a property's `logic` as messages; empty when there are none, or no logic. Accepts any JSON. */
export function checkPropertyLogic(
  property: Property,
  properties: readonly Property[],
  engines: FieldEngines,
): string[] {
  const logic: unknown = property.logic;
  if (!hasConditions(logic)) return [];
  const conditions = isJsonObject(logic) ? logic.conditions : logic;
  if (!hasConditions(conditions)) return [];
  const messages: string[] = [];
  const details = checkConditions(conditions, properties, engines);
  if (details.length > 0) {
    messages.push(incompleteConditions('logic', property, details));
  }
  if (!areActionsValid(property, conditions, isJsonObject(logic) ? logic.actions : undefined)) {
    messages.push(`The logic actions for ${shownName(property)} are not valid.`);
  }
  return messages;
}

/** The message that lists what `checkConditions` found. */
export function incompleteConditions(
  rule: 'logic' | 'validation',
  property: Property,
  details: readonly string[],
): string {
  return `The ${rule} conditions for ${shownName(property)} are not complete. Error detail(s): ${details.join(', ')}`;
}

/** The name in a message, as a block that is about to be saved may have anything as its name. */
function shownName({ name }: Property): string {
  return typeof name === 'string' ? name : 'the block';
}

function areActionsValid(property: Property, conditions: unknown, actions: unknown): boolean {
  const asksNothing = isJsonObject(conditions) && isVoid(conditions.children);
  if (!hasConditions(actions)) return asksNothing;
  const allowed = allowedActions(property);
  return Array.isArray(actions) && actions.every((action) => isOneOf(allowed, action));
}

/** Actions that would change something: a hidden block can be shown but not hidden. */
export function allowedActions(property: Property): string[] {
  const [hidden, required, disabled] = [
    isOn(property.hidden),
    isOn(property.required),
    isOn(property.disabled),
  ];
  if (isLayoutBlock(property.type)) return ['show-block', 'hide-block'];
  const enabling = disabled ? ['enable-block'] : [];
  if (hidden) return ['show-block', 'require-answer', ...(required ? ['make-it-optional'] : []), ...enabling];
  if (required) return ['make-it-optional', 'hide-block', 'disable-block', ...enabling];
  if (disabled) return ['enable-block', 'require-answer', 'make-it-optional'];
  return ['show-block', 'hide-block', 'make-it-optional', 'require-answer', 'enable-block', 'disable-block'];
}
