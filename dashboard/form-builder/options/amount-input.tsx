import { Link } from '@tanstack/react-router';
import { CURRENCIES } from '../../../fields/as-text/currencies.ts';
import { leastFixed, MAX_AMOUNT } from '../../../fields/payment.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { onlyMention } from '../../../fields/texts/mentions.ts';
import { canonicalTypeName, NUMBER_TYPES } from '../../../fields/type-names.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { Field } from '../../ui/field.tsx';
import { Input, Select } from '../../ui/input.tsx';
import { Notice } from '../../ui/states.tsx';
import { useBuilder } from '../builder-context.ts';
import { mentionOf } from '../logic/logic-words.ts';

const FIXED = '';
const USUAL = 10;
const SAFE_AMOUNTS =
  'Put prices into a calculation, not into a hidden field, which anybody can set. Give every number a lowest value.';
const CODES = [...CURRENCIES.keys()];

interface AmountInputProps {
  block: Property;
  /** Blocks of the whole form. */
  blocks: readonly Property[];
  isOff: boolean;
}

/** How much a payment block asks for: the same from everybody, or what a field or a calculation says. */
export function AmountInput({ block, blocks, isOff }: AmountInputProps) {
  const { edit, calculations } = useBuilder();
  const { id, takes_payments: takesPayments } = useWorkspace();
  const { amount, currency } = block;
  const mentioned = onlyMention(amount);
  const sources = [
    ...blocks.filter(({ type }) => NUMBER_TYPES.includes(canonicalTypeName(type))),
    ...calculations,
  ];
  const isGone = mentioned !== null && sources.every((source) => source.id !== mentioned);
  const change = (members: Record<string, JsonValue | undefined>, isTyped = false) =>
    edit({ do: 'change', id: block.id, members, ...(isTyped && { isTyped }) });
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field name="amount_source" label="How much" hint={mentioned === null ? undefined : SAFE_AMOUNTS}>
        <Select
          className="w-full"
          disabled={isOff}
          value={mentioned ?? FIXED}
          onChange={({ target }) =>
            change({ amount: target.value === FIXED ? USUAL : mentionOf(target.value) })
          }
        >
          <option value={FIXED}>The same from everybody</option>
          {sources.map((source) => (
            <option key={source.id} value={source.id}>
              As “{source.name}” says
            </option>
          ))}
          {isGone && <option value={mentioned}>What a field said that is gone</option>}
        </Select>
      </Field>
      <div className="grid grid-cols-2 gap-3">
        {mentioned === null && (
          <Field
            name="amount"
            label="Amount"
            hint={typeof amount === 'number' ? undefined : 'Without an amount nobody is asked to pay.'}
          >
            <Input
              type="number"
              step="any"
              min={leastFixed(String(currency))}
              max={MAX_AMOUNT}
              readOnly={isOff}
              value={typeof amount === 'number' ? amount : ''}
              onChange={({ target }) =>
                change({ amount: target.value === '' ? undefined : Number(target.value) }, true)
              }
            />
          </Field>
        )}
        <Field name="currency" label="Currency">
          <Select
            className="w-full"
            disabled={isOff}
            value={typeof currency === 'string' ? currency : ''}
            onChange={({ target }) => change({ currency: target.value })}
          >
            {!CODES.includes(String(currency)) && <option value="">Choose one</option>}
            {CODES.map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="text-[0.8125rem] text-muted">
        Whoever sends the form pays on Stripe’s page, and the response counts once it is paid.
      </p>
      {!takesPayments && (
        <Notice tone="warn">
          No account at Stripe is connected yet, so the form cannot be published. An admin connects one in the{' '}
          <Link
            to="/workspaces/$workspaceId/settings"
            params={{ workspaceId: String(id) }}
            className="underline"
          >
            settings of the workspace
          </Link>
          .
        </Notice>
      )}
    </div>
  );
}
