/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** A JSON object from outside: any member may be missing. */
export type JsonObject = { [key: string]: JsonValue | undefined };

/** Answers of one submission, by property id. */
export type Answers = Record<string, JsonValue>;

/** One comparison of a condition tree: the answer to `identifier` compared with `value.value`. */
export type Condition = {
  identifier: string;
  value: { operator: string; property_meta: { id: string; type: string }; value?: JsonValue };
};

/** A group of conditions; groups nest. */
export type ConditionGroup = { operatorIdentifier: 'and' | 'or'; children: (ConditionGroup | Condition)[] };

type PropertyLogic = { conditions?: ConditionGroup | null; actions?: string[] | null };

type PropertyValidation = {
  error_conditions?: { conditions?: ConditionGroup | null; actions?: string[] | null } | null;
  error_message?: string | null;
};

/** One block of a form: an input or a layout block. Options of its type are among the common members. */
export interface Property {
  id: string;
  type: string;
  name: string;
  hidden?: boolean | null;
  required?: boolean | null;
  logic?: PropertyLogic | null;
  validation?: PropertyValidation | null;
  [option: string]: JsonValue | undefined;
}

/** Messages by error key, in the order found. Always made by `emptyErrorBag`, so that no key can pollute a prototype. */
export type ErrorBag = Record<string, string[]>;

/** Inherits nothing, yet is as fast as other objects: V8 looks up members of `Object.create(null)` in a table. */
function Bag() {}
Bag.prototype = Object.create(null);
const NewBag = Bag as unknown as new <Value>() => Record<string, Value>;

/** Inherits nothing: a key such as `__proto__` is an ordinary key. */
export function emptyAnswers(): Answers {
  return new NewBag();
}

/** Inherits nothing either. */
export function emptyErrorBag(): ErrorBag {
  return new NewBag();
}

/** Adds one message under a key. */
export function addError(errors: ErrorBag, key: string, message: string): void {
  const messages = errors[key];
  if (messages === undefined) errors[key] = [message];
  else messages.push(message);
}

/** True for `{…}`, false for arrays, null and everything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object's own member, never an inherited one: `constructor` is a legal id of a field. */
export function ownMember<Value>(object: { [key: string]: Value }, key: string): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
