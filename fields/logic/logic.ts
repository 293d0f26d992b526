import { dayOf } from '../as-text/dates.ts';
import { isBlank, isOn } from '../block-options/options.ts';
import type { FieldEngines } from '../engines.ts';
import type { ComputedValues } from '../formulas/variables.ts';
import {
  type Answers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type Property,
} from '../property.ts';
import type { ReadAnswer } from '../texts/mentions.ts';
import { canonicalTypeName } from '../type-names.ts';
import { DOES_NOT_EXIST, EXISTS } from './operator-names.ts';
import type { OperatorContext } from './operators.ts';

/** Deepest nesting of condition groups. */
export const MAX_GROUP_DEPTH = 12;

/** Asks whether a stored submission has this answer to a field. */
export interface SubmissionLookup {
  propertyId: string;
  value: JsonValue;
}

/** What conditions may ask about besides the answers. */
export interface Moment {
  /** For relative dates; the clock when absent. */
  now?: Date | undefined;
  /** Answers the look-ups that `lookups` listed; null means that it is not known. Without it no submission has the answer. */
  existsInSubmissions?: ((lookup: SubmissionLookup) => boolean | null) | undefined;
}

export interface FieldState {
  hidden: boolean;
  required: boolean;
  /** Cannot be answered on a page; but if an answer is sent, it counts like any other. */
  disabled: boolean;
}

/** A compiled condition tree; never throws, whatever the answers are. */
export type CompiledCondition = (answers: Answers, moment: Moment) => boolean;

/** What conditions of a form are compiled with. */
export interface LogicScope {
  propertiesById: ReadonlyMap<string, Property>;
  /** See `conditionalBreaks`. */
  breakOf: ReadonlyMap<string, Property>;
  /** Functions that compute the form's variables, by their ids. */
  variables: ComputedValues;
  engines: FieldEngines;
  /** Called with the field of every condition that has to be looked up in stored submissions. */
  onLookup?: (propertyId: string) => void;
}

/** Makes the scope once for many compilations. */
export function logicScope(
  properties: readonly Property[],
  engines: FieldEngines,
  variables: ComputedValues,
): LogicScope {
  const propertiesById = new Map(properties.map((property) => [property.id, property]));
  return { propertiesById, breakOf: conditionalBreaks(properties), variables, engines };
}

/** By the id of a block: the page break that begins its page, if that break has logic, which may hide the whole page. */
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
 * Returns a function that tells whether a block is hidden, required and disabled, by its own logic and that of its page, which may hide
 * everything on it. Without logic the result is constant.
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
  const base = baseState(property);
  const conditions = property.logic?.conditions;
  if (!hasConditions(conditions)) return () => base;
  const isMet = compileConditions(conditions, scope);
  const acted = stateAfter(base, property.logic?.actions ?? []);
  return (answers, moment) => (isMet(answers, moment) ? acted : base);
}

/** Every state that a block may have, whatever the answers are; `breakOf` is of the scope. */
export function possibleStates(property: Property, breakOf: LogicScope['breakOf']): FieldState[] {
  const states = ownStates(property);
  const pageBreak = breakOf.get(property.id);
  const mayPageBeHidden = pageBreak !== undefined && ownStates(pageBreak).some(({ hidden }) => hidden);
  return mayPageBeHidden ? [...states, ...states.map((state) => ({ ...state, hidden: true }))] : states;
}

function ownStates(property: Property): FieldState[] {
  const base = baseState(property);
  const { conditions, actions } = property.logic ?? {};
  return hasConditions(conditions) ? [base, stateAfter(base, actions ?? [])] : [base];
}

/** The state without conditions, and while they do not hold. */
function baseState({ hidden, required, disabled }: Property): FieldState {
  return { hidden: isOn(hidden), required: isOn(required), disabled: isOn(disabled) };
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
 * Compiles a condition tree. null never holds, an empty `and` always, an empty `or` never. Parts that cannot be read (unknown type or
 * operator, nested too deeply) never hold.
 */
export function compileConditions(conditions: unknown, scope: LogicScope): CompiledCondition {
  return compileNode(conditions, scope, 1);
}

/** False for null, absent, `{}` and `[]`, which all mean no conditions. */
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

/** Returns a function that reads the answer to a field, or computes a variable. */
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

/** The id of the field or variable that a condition is about. */
export function conditionFieldId(leaf: JsonObject, meta: JsonObject): string | undefined {
  if (typeof leaf.identifier === 'string' && leaf.identifier !== '') return leaf.identifier;
  return typeof meta.id === 'string' && meta.id !== '' ? meta.id : undefined;
}

/** Whether it is `{}` or `[]`. */
export function isVoid(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
