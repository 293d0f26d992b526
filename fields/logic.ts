import { dayOf } from './dates.ts';
import type { FieldEngines } from './engines.ts';
import type { ComputedValues } from './formulas/variables.ts';
import type { ReadAnswer } from './mentions.ts';
import { DOES_NOT_EXIST, EXISTS } from './operator-names.ts';
import type { OperatorContext } from './operators.ts';
import { isBlank, isOn } from './options.ts';
import {
  type Answers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type Property,
} from './property.ts';
import { canonicalTypeName } from './type-names.ts';

/** Deepest nesting of condition groups. */
export const MAX_GROUP_DEPTH = 12;

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
  /** What the form's variables are worth, by their ids. */
  variables: ComputedValues;
  engines: FieldEngines;
  /** Told the field of every condition that needs a lookup in the stored submissions. */
  onLookup?: (propertyId: string) => void;
}

/** Finds properties by id for many compilations. */
export function logicScope(
  properties: readonly Property[],
  engines: FieldEngines,
  variables: ComputedValues,
): LogicScope {
  const propertiesById = new Map(properties.map((property) => [property.id, property]));
  return { propertiesById, breakOf: conditionalBreaks(properties), variables, engines };
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
  const answerOf = answerReader(id, scope);
  const resolve =
    value === undefined ? null : engines.compileMentions(value, (named) => answerReader(named, scope));
  return (answers, moment) => {
    const context: OperatorContext = { engines, today: () => dayOf(moment.now ?? new Date()) };
    return operator(answerOf(answers), resolve === null ? value : resolve(answers), context);
  };
}

/** Reads what was answered to a field, or what a variable is worth. */
function answerReader(id: string, { propertiesById, variables }: LogicScope): ReadAnswer {
  const computed = !propertiesById.has(id) && variables.get(id);
  return computed || ((answers) => ownMember(answers, id));
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

/** The field or variable a condition is about. */
export function conditionFieldId(leaf: JsonObject, meta: JsonObject): string | undefined {
  if (typeof leaf.identifier === 'string' && leaf.identifier !== '') return leaf.identifier;
  return typeof meta.id === 'string' && meta.id !== '' ? meta.id : undefined;
}

/** `{}` and `[]`. */
export function isVoid(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
