import { FolderPlus, Plus, Trash2 } from 'lucide-react';
import { MAX_GROUP_DEPTH } from '../../../fields/logic/logic.ts';
import type { Condition, ConditionGroup, Property } from '../../../fields/property.ts';
import { FieldOptions } from '../../calculations/field-options.tsx';
import { kindOfGone } from '../../calculations/fields.ts';
import { classes } from '../../lib/classes.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/input.tsx';
import {
  addTo,
  type ConditionNode,
  changeAt,
  conditionOn,
  isGroup,
  type NodePath,
  newCondition,
  newGroup,
  withOperator,
} from './condition-tree.ts';
import { ConditionValue, hasShortValue } from './condition-value.tsx';
import { operatorsFor, operatorWords } from './logic-words.ts';

interface TreeProps {
  group: ConditionGroup;
  /** Fields that conditions may be about. */
  fields: readonly Property[];
  /** Conditions may also be about other submissions. */
  isValidation: boolean;
  onChange(group: ConditionGroup): void;
  /** Conditions are only shown. */
  isReadOnly?: boolean;
}

/** A tree of conditions with "any" or "all". Independent of the builder, so that other screens can use it. */
export function ConditionTree(props: TreeProps) {
  return <Group {...props} node={props.group} path={[]} />;
}

interface GroupProps extends TreeProps {
  node: ConditionGroup;
  path: NodePath;
}

function Group({ node, path, ...tree }: GroupProps) {
  const { group, fields, isValidation, onChange, isReadOnly } = tree;
  const [first] = fields;
  const isRoot = path.length === 0;
  const place = isRoot ? 'Conditions' : `Group ${path.map((index) => index + 1).join('.')}`;
  const add = (child: ConditionNode) => onChange(addTo(group, path, child));
  const setOperator = (operator: 'and' | 'or') =>
    onChange(
      changeAt(group, path, (found) => ({ ...found, operatorIdentifier: operator }) as ConditionGroup),
    );
  return (
    <fieldset
      className={classes(
        'grid min-w-0 grid-cols-1 gap-2',
        !isRoot && 'rounded-lg border border-line bg-sunken/60 p-2.5',
      )}
    >
      <legend className="sr-only">{place}</legend>
      <div className="flex items-center gap-2">
        <span>When</span>
        <Select
          aria-label={`${place}: how many have to hold`}
          className="w-24"
          disabled={isReadOnly}
          value={node.operatorIdentifier}
          onChange={(event) => setOperator(event.target.value === 'or' ? 'or' : 'and')}
        >
          <option value="and">all</option>
          <option value="or">any</option>
        </Select>
        <span className="flex-1">of these {node.operatorIdentifier === 'or' ? 'holds' : 'hold'}</span>
        {!isRoot && (
          <IconButton
            size="sm"
            label={`Remove ${place.toLowerCase()}`}
            disabled={isReadOnly}
            onClick={() => onChange(changeAt(group, path, () => null))}
          >
            <Trash2 className="size-4" />
          </IconButton>
        )}
      </div>
      {node.children.map((child, index) => {
        const at = [...path, index];
        return isGroup(child) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no names of their own
          <Group key={index} {...tree} node={child} path={at} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no names of their own
          <Row key={index} {...tree} condition={child} path={at} />
        );
      })}
      {node.children.length === 0 && (
        <p className="text-muted">
          {node.operatorIdentifier === 'or' ? 'None yet: this never holds.' : 'None yet: this always holds.'}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={<Plus className="size-4" />}
          disabled={isReadOnly || !first}
          onClick={() => first && add(newCondition(first, { isValidation }))}
        >
          Add condition
        </Button>
        {path.length + 2 < MAX_GROUP_DEPTH && (
          <Button
            size="sm"
            look="quiet"
            icon={<FolderPlus className="size-4" />}
            disabled={isReadOnly || !first}
            onClick={() =>
              first && add({ ...newGroup([newCondition(first, { isValidation })]), operatorIdentifier: 'or' })
            }
          >
            Add group
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface RowProps extends TreeProps {
  condition: Condition;
  path: NodePath;
}

function Row({ condition, path, group, fields, isValidation, onChange, isReadOnly }: RowProps) {
  const { identifier, value: body } = condition;
  const field = fields.find(({ id }) => id === identifier);
  const shape = field ?? { id: identifier, type: body.property_meta?.type ?? 'text' };
  const number = path.map((index) => index + 1).join('.');
  const put = (next: Condition) => onChange(changeAt(group, path, () => next));
  const setField = (id: string) => {
    const next = fields.find((one) => one.id === id);
    if (!next) return;
    const isSame = next.type === shape.type && operatorsFor(next, { isValidation }).includes(body.operator);
    put(isSame ? conditionOn(next, body.operator) : newCondition(next, { isValidation }));
  };
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 rounded-lg border border-line bg-surface p-2.5">
      <legend className="sr-only">Condition {number}</legend>
      <div className="grid min-w-0 grid-cols-1 gap-2 sm:grid-cols-2">
        <Select
          aria-label="Field"
          className="w-full sm:col-span-2"
          aria-invalid={!field || undefined}
          disabled={isReadOnly}
          value={field ? identifier : ''}
          onChange={(event) => setField(event.target.value)}
        >
          {!field && <option value="">A deleted {kindOfGone(identifier)}</option>}
          <FieldOptions fields={fields} />
        </Select>
        <Select
          aria-label="Comparison"
          className={classes('w-full', !hasShortValue(condition, shape) && 'sm:col-span-2')}
          disabled={isReadOnly || !field}
          value={body.operator}
          onChange={(event) => put(withOperator(condition, shape, event.target.value))}
        >
          {operatorsFor(shape, { isValidation, current: body.operator }).map((operator) => (
            <option key={operator} value={operator}>
              {operatorWords(operator, shape.type)}
            </option>
          ))}
        </Select>
        <ConditionValue
          // Of another field: begins anew.
          key={identifier}
          condition={condition}
          field={field ?? null}
          fields={fields}
          isReadOnly={isReadOnly || !field}
          onChange={(value) => put({ ...condition, value: { ...body, value } })}
        />
        {!field && (
          <p role="alert" className="text-[0.8125rem] text-bad sm:col-span-2">
            The {kindOfGone(identifier)} was deleted: this never holds. Choose another or remove the
            condition.
          </p>
        )}
      </div>
      <IconButton
        size="sm"
        label={`Remove condition ${number}`}
        disabled={isReadOnly}
        onClick={() => onChange(changeAt(group, path, () => null))}
      >
        <Trash2 className="size-4" />
      </IconButton>
    </fieldset>
  );
}
