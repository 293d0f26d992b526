import { type Expression, parseExpression, SELF } from '../expressions.ts';
import { cellOf, type Row } from '../rows.ts';

/**
 * The choices that rule out the others by a constraint such as `not(selected(., 'none') and count-selected(.) > 1)`; null if
 * it says anything else.
 */
export function exclusiveIn(row: Row): string[] | null {
  const expression = parseExpression(cellOf(row, 'constraint'), 'xpath');
  const names = [SELF, cellOf(row, 'name')];
  return expression && ruledBy(expression, (node) => node?.kind === 'answer' && names.includes(node.name));
}

type IsSelf = (node: Expression | undefined) => boolean;

function ruledBy(node: Expression, isSelf: IsSelf): string[] | null {
  const [test, then, otherwise] = node.kind === 'call' ? node.inputs : [];
  if (node.kind === 'call' && node.name === 'not' && test?.kind === 'operation' && test.operator === 'and')
    return whereCounted([test.left, test.right], COUNTS_MORE, isSelf);
  if (node.kind === 'call' && node.name === 'if' && test && then)
    return otherwise?.kind === 'value' && otherwise.value === true
      ? whereCounted([test, then], COUNTS_ONE, isSelf)
      : null;
  if (node.kind !== 'operation') return null;
  if (node.operator === 'and') return joined(ruledBy(node.left, isSelf), ruledBy(node.right, isSelf));
  if (node.operator !== 'or') return null;
  return whereCounted([opposite(node.left), opposite(node.right)], COUNTS_ONE, isSelf);
}

const COUNTS_MORE = ['> 1', '>= 2', '!= 1'];
const COUNTS_ONE = ['= 1', '<= 1', '< 2'];

/** The choices, if one of the two says that they are chosen, and the other how many are. */
function whereCounted(
  parts: readonly Expression[],
  counts: readonly string[],
  isSelf: IsSelf,
): string[] | null {
  const chosen = parts.filter((part) => !isCount(part, counts, isSelf));
  return chosen.length === 1 && chosen[0] ? chosenBy(chosen[0], isSelf) : null;
}

function isCount(node: Expression, counts: readonly string[], isSelf: IsSelf): boolean {
  if (node.kind !== 'operation' || node.right.kind !== 'value') return false;
  const { left, operator, right } = node;
  const isCounted = left.kind === 'call' && left.name === 'count-selected' && isSelf(left.inputs[0]);
  return isCounted && counts.includes(`${operator} ${right.value}`);
}

/** The choices named by `selected(., 'a') or selected(., 'b')`. */
function chosenBy(node: Expression, isSelf: IsSelf): string[] | null {
  if (node.kind === 'operation' && node.operator === 'or')
    return joined(chosenBy(node.left, isSelf), chosenBy(node.right, isSelf));
  const [self, choice] = node.kind === 'call' && node.name === 'selected' ? node.inputs : [];
  return isSelf(self) && choice?.kind === 'value' ? [String(choice.value)] : null;
}

/** What stands in `not(…)`; anything else stays. */
function opposite(node: Expression): Expression {
  const [inner] = node.kind === 'call' && node.name === 'not' ? node.inputs : [];
  return inner ?? node;
}

function joined(one: string[] | null, other: string[] | null): string[] | null {
  return one && other && [...one, ...other];
}
