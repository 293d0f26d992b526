import {
  type Condition,
  type ConditionGroup,
  isJsonObject,
  type Property,
} from '../../../fields/property.ts';
import { firstValue, operatorsFor, valueKindOf } from './logic-words.ts';

export type ConditionNode = ConditionGroup | Condition;

/** The position of a node: indexes from the root. */
export type NodePath = readonly number[];

export function isGroup(node: ConditionNode): node is ConditionGroup {
  return 'children' in node;
}

/** The editable tree, also of a single condition without a group: null for none, and for an unreadable one. */
export function readGroup(conditions: unknown): ConditionGroup | null {
  if (!isJsonObject(conditions)) return null;
  if (!Array.isArray(conditions.children))
    return isJsonObject(conditions.value) ? newGroup([conditions as unknown as Condition]) : null;
  const children = conditions.children.flatMap((child): ConditionNode[] => {
    if (!isJsonObject(child)) return [];
    if (!Array.isArray(child.children))
      return isJsonObject(child.value) ? [child as unknown as Condition] : [];
    const group = readGroup(child);
    return group ? [group] : [];
  });
  return { operatorIdentifier: conditions.operatorIdentifier === 'or' ? 'or' : 'and', children };
}

export function newGroup(children: ConditionNode[] = []): ConditionGroup {
  return { operatorIdentifier: 'and', children };
}

/** A condition about a field, with the first operator of its type. */
export function newCondition(block: Property, rule: { isValidation?: boolean } = {}): Condition {
  const operator = operatorsFor(block, rule)[0] ?? 'is_not_empty';
  return conditionOn(block, operator);
}

/** Conditions made here that were not shown yet: that they lack a value is no mistake. */
const unseen = new WeakSet<Condition>();

export function isUnseen(condition: Condition): boolean {
  return unseen.has(condition);
}

export function markSeen(condition: Condition): void {
  unseen.delete(condition);
}

/** A condition with the initial value of its operator. */
export function conditionOn(block: Pick<Property, 'id' | 'type'>, operator: string): Condition {
  const value = firstValue(valueKindOf(block, operator), operator);
  const made: Condition = {
    identifier: block.id,
    value: { operator, property_meta: { id: block.id, type: block.type }, value },
  };
  unseen.add(made);
  return made;
}

/** Changes the operator and keeps the value if it still fits. */
export function withOperator(
  condition: Condition,
  block: Pick<Property, 'id' | 'type'>,
  operator: string,
): Condition {
  const before = valueKindOf(block, condition.value.operator);
  const next = conditionOn(block, operator);
  if (before !== valueKindOf(block, operator) || before === 'none') return next;
  return { ...next, value: { ...next.value, value: condition.value.value ?? '' } };
}

/** Replaces the node at a path, or removes it if `change` returns null. */
export function changeAt(
  group: ConditionGroup,
  path: NodePath,
  change: (node: ConditionNode) => ConditionNode | null,
): ConditionGroup {
  const [index, ...rest] = path;
  if (index === undefined) {
    const next = change(group);
    return next && isGroup(next) ? next : newGroup();
  }
  const child = group.children[index];
  if (!child) return group;
  const next = rest.length === 0 ? change(child) : isGroup(child) ? changeAt(child, rest, change) : child;
  return {
    ...group,
    children: next === null ? group.children.toSpliced(index, 1) : group.children.with(index, next),
  };
}

/** Whether two trees ask the same, but for what they compare with: as while that is being typed. */
export function differOnlyInValues(one: ConditionGroup, other: ConditionGroup): boolean {
  return withoutValues(one) === withoutValues(other);
}

function withoutValues(group: ConditionGroup): string {
  return JSON.stringify(group, function (this: object, key, node) {
    return key === 'value' && 'operator' in this ? undefined : node;
  });
}

/** Adds a node at the end of the group at a path. */
export function addTo(group: ConditionGroup, path: NodePath, node: ConditionNode): ConditionGroup {
  return changeAt(group, path, (found) =>
    isGroup(found) ? { ...found, children: [...found.children, node] } : found,
  );
}
