import { conditionValueProblem } from './condition-values.ts';
import { dayOf } from './dates.ts';
import type { FieldEngines } from './engines.ts';
import { fieldTypeOf } from './field-types.ts';
import { DOES_NOT_EXIST, EXISTS } from './operator-names.ts';
import type { OperatorContext } from './operators.ts';
import { isBlank, isOn, isOneOf } from './options.ts';
import {
  type Answers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type Property,
} from './property.ts';
import { canonicalTypeName, isLayoutBlock } from './type-names.ts';
import { unknownType } from './types/unknown.ts';

/** Deepest nesting of condition groups. */
export const MAX_GROUP_DEPTH = 12;
/** Most problems listed for one tree. */
const MAX_DETAILS = 20;

/** Whether anybody has already answered a field with this value. */
export interface SubmissionLookup {
  propertyId: string;
  value: JsonValue;
}

/** What conditions may ask about besides the answers. */
export interface Moment {
  /** Today for relative dates; the clock when absent. */
  now?: Date | undefined;
  /** Answers the lookups that `lookups` listed, with null where either may hold; without it nobody has answered anything yet. */
  existsInSubmissions?: ((lookup: SubmissionLookup) => boolean | null) | undefined;
}

export interface FieldState {
  hidden: boolean;
  required: boolean;
  /** Cannot be answered on a page; an answer that is sent all the same counts like any other. */
  disabled: boolean;
}

/** A condition tree made ready once; never throws, whatever the answers are. */
export type CompiledCondition = (answers: Answers, moment: Moment) => boolean;

/** What compiling needs: the form's properties by id. */
export interface LogicScope {
  propertiesById: ReadonlyMap<string, Property>;
  /** The break that begins its page, of every block on a page that logic may hide. */
  breakOf: ReadonlyMap<string, Property>;
  engines: FieldEngines;
  /** Told the field of every condition that needs a lookup in the stored submissions. */
  onLookup?: (propertyId: string) => void;
}

/** Finds properties by id for many compilations. */
export function logicScope(properties: readonly Property[], engines: FieldEngines): LogicScope {
  const propertiesById = new Map(properties.map((property) => [property.id, property]));
  return { propertiesById, breakOf: conditionalBreaks(properties), engines };
}

/** The break that begins its page, of every block on a page that logic may hide. */
export function conditionalBreaks(properties: readonly Property[]): Map<string, Property> {
  const found = new Map<string, Property>();
  let current: Property | null = null;
  for (const property of properties) {
    if (canonicalTypeName(property.type) === 'nf-page-break')
      current = hasConditions(property.logic?.conditions) ? property : null;
    else if (current) found.set(property.id, current);
  }
  return found;
}

type StateFor = (answers: Answers, moment: Moment) => FieldState;

/**
 * Whether a block is hidden, required and disabled once its logic has acted on the answers, and that of its page, which hides
 * all that is on it; constant without logic.
 */
export function compileState(property: Property, scope: LogicScope): StateFor {
  const stateOf = compileOwnState(property, scope);
  const pageBreak = scope.breakOf.get(property.id);
  if (!pageBreak) return stateOf;
  const pageStateOf = compileOwnState(pageBreak, scope);
  return (answers, moment) => {
    const state = stateOf(answers, moment);
    return pageStateOf(answers, moment).hidden ? { ...state, hidden: true } : state;
  };
}

function compileOwnState(property: Property, scope: LogicScope): StateFor {
  const { hidden, required, disabled } = property;
  const base = { hidden: isOn(hidden), required: isOn(required), disabled: isOn(disabled) };
  const conditions = property.logic?.conditions;
  if (!hasConditions(conditions)) return () => base;
  const isMet = compileConditions(conditions, scope);
  const acted = stateAfter(base, property.logic?.actions ?? []);
  return (answers, moment) => (isMet(answers, moment) ? acted : base);
}

function stateAfter({ hidden, required, disabled }: FieldState, actions: unknown): FieldState {
  const has = (action: string) => Array.isArray(actions) && actions.includes(action);
  return {
    hidden: hidden ? !has('show-block') : has('hide-block'),
    required: required ? !has('make-it-optional') && !has('hide-block') : has('require-answer'),
    disabled: disabled ? !has('enable-block') : has('disable-block'),
  };
}

/**
 * Reads a condition tree once. Null holds never, an empty `and` always, an empty `or` never. What it cannot read
 * (unknown type or operator, too deep) never holds.
 */
export function compileConditions(conditions: unknown, scope: LogicScope): CompiledCondition {
  return compileNode(conditions, scope, 1);
}

/** False for null, absent, `{}` and `[]`: how "no conditions" is written. */
export function hasConditions(conditions: unknown): boolean {
  return conditions !== undefined && conditions !== null && !isVoid(conditions);
}

const never: CompiledCondition = () => false;

function compileNode(node: unknown, scope: LogicScope, depth: number): CompiledCondition {
  if (!isJsonObject(node) || depth > MAX_GROUP_DEPTH) return never;
  if (!Array.isArray(node.children)) return compileLeaf(node, scope);
  const children = node.children.map((child) => compileNode(child, scope, depth + 1));
  if (node.operatorIdentifier === 'or') {
    return (answers, moment) => children.some((isMet) => isMet(answers, moment));
  }
  if (node.operatorIdentifier !== 'and') return never;
  return (answers, moment) => children.every((isMet) => isMet(answers, moment));
}

function compileLeaf(leaf: JsonObject, scope: LogicScope): CompiledCondition {
  const body = leaf.value;
  if (!isJsonObject(body) || typeof body.operator !== 'string') return never;
  const meta = isJsonObject(body.property_meta) ? body.property_meta : {};
  const id = conditionFieldId(leaf, meta);
  if (id === undefined) return never;
  if (body.operator === EXISTS || body.operator === DOES_NOT_EXIST) {
    return compileLookup(id, body.operator === EXISTS, scope);
  }
  const typeName = scope.propertiesById.get(id)?.type ?? meta.type;
  const type = typeof typeName === 'string' ? canonicalTypeName(typeName) : 'unknown';
  const operator = scope.engines.operatorOf(type, body.operator);
  if (operator === undefined) return never;
  const { value } = body;
  const { engines } = scope;
  const resolve = value === undefined ? null : engines.compileMentions(value);
  return (answers, moment) => {
    const context: OperatorContext = { engines, today: () => dayOf(moment.now ?? new Date()) };
    return operator(ownMember(answers, id), resolve === null ? value : resolve(answers), context);
  };
}

function compileLookup(propertyId: string, wanted: boolean, scope: LogicScope): CompiledCondition {
  scope.onLookup?.(propertyId);
  return (answers, moment) => {
    const value = ownMember(answers, propertyId);
    const look = moment.existsInSubmissions;
    const exists = look && value !== undefined && !isBlank(value) ? look({ propertyId, value }) : false;
    return exists === null || exists === wanted;
  };
}

/**
 * What is wrong with a condition tree that is about to be saved, in tree order; empty when fine or absent. Never
 * throws on any JSON. `properties` are those of the form the tree belongs to.
 */
export function checkConditions(
  conditions: unknown,
  properties: readonly Property[],
  engines: FieldEngines,
): string[] {
  if (!hasConditions(conditions)) return [];
  const details: string[] = [];
  checkNode(conditions, 1, { scope: logicScope(properties, engines), details });
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
  const { property_meta: meta, operator, value } = body;
  const typeName = isJsonObject(meta) ? meta.type : undefined;
  const hasOperator = typeof operator === 'string' && operator !== '';
  if (!isJsonObject(meta) || conditionFieldId(leaf, meta) === undefined)
    details.push('missing condition property');
  else if (typeof typeName !== 'string' || typeName === '') details.push('missing condition property type');
  if (!hasOperator) details.push('missing condition operator');
  if (!isJsonObject(meta) || typeof typeName !== 'string' || typeName === '' || !hasOperator) return;

  const property = scope.propertiesById.get(conditionFieldId(leaf, meta) ?? '');
  const type = fieldTypeOf(property?.type ?? typeName);
  const isKnown = fieldTypeOf(typeName) !== unknownType || property?.type === typeName;
  if (!isKnown || !type.operators.includes(operator)) {
    details.push(`configuration not found for condition ${isKnown ? 'operator' : 'type'}`);
    return;
  }
  const problem = conditionValueProblem(type, operator, value, scope.engines);
  if (problem !== null) details.push(problem);
}

/** What is wrong with a property's `logic`, as full messages; empty when fine or absent. Never throws. */
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

/** A block about to be saved may have anything as its name. */
function shownName({ name }: Property): string {
  return typeof name === 'string' ? name : 'the block';
}

function areActionsValid(property: Property, conditions: unknown, actions: unknown): boolean {
  const asksNothing = isJsonObject(conditions) && isVoid(conditions.children);
  if (!hasConditions(actions)) return asksNothing;
  const allowed = allowedActions(property);
  return Array.isArray(actions) && actions.every((action) => isOneOf(allowed, action));
}

/** Only what changes something: a hidden block can be shown but not hidden. */
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

function conditionFieldId(leaf: JsonObject, meta: JsonObject): string | undefined {
  if (typeof leaf.identifier === 'string' && leaf.identifier !== '') return leaf.identifier;
  return typeof meta.id === 'string' && meta.id !== '' ? meta.id : undefined;
}

/** `{}` and `[]`. */
function isVoid(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
