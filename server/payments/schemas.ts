import Type from 'typebox';
import { WorkspaceParams } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { Problem } from '../http/schemas/problem.ts';
import { RequiredText } from '../http/schemas/required-text.ts';
import { Success } from '../http/schemas/success.ts';

const tags = ['Workspaces'];

const Mode = Type.Enum(['test', 'live'], { description: '`test`: no money moves.' });

const PaymentAccount = Type.Object(
  {
    provider: Type.Literal('stripe'),
    mode: Mode,
    account: Nullable(
      Type.String({ description: 'Its name at Stripe; null where the key may not read it.' }),
    ),
    stripe_secret_key: Type.Literal('********', { description: 'A mask: the key is never shown.' }),
  },
  { title: 'PaymentAccount' },
);

/** A payment, of a submission that was paid for. */
export const Payment = Type.Object(
  {
    amount: Type.Number({ description: 'In whole units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    reference: Type.String({ description: 'Of the payment at Stripe.' }),
    mode: Mode,
    paid_at: Type.String(),
  },
  { title: 'Payment', description: 'Only of a submission that was paid for.' },
);

/** What has to be paid. */
export const Due = Type.Object(
  {
    amount: Type.Number({ description: 'In whole units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
  },
  { title: 'AmountDue' },
);

/** How far a payment is, of what waits for one. */
export const PaymentState = Type.Enum(['not_begun', 'open', 'processing', 'unknown', 'paid'], {
  description:
    '`open`: its sender was led to Stripe. `processing`: they have paid, and the money is on its way. `unknown`: Stripe cannot be asked, as ' +
    'the workspace is no longer connected to the account. `paid`: the form could not take it in; see `payment` and `refusal`.',
});

export const readSchema = {
  tags,
  summary: 'Read the account that forms of a workspace take payments for',
  params: WorkspaceParams,
  response: { 200: Type.Object({ payments: Nullable(PaymentAccount) }) },
};

export const saveSchema = {
  tags,
  summary: 'Connect a workspace to an account at Stripe',
  description:
    'The key is checked at Stripe before it is kept, encrypted. Replaces the account before it: payments begun with that are not asked for any more.',
  params: WorkspaceParams,
  body: Type.Object({ stripe_secret_key: RequiredText(255) }),
  response: {
    200: Type.Object({ ...Success.properties, payments: PaymentAccount }),
    503: Problem('Stripe cannot be asked right now (`payment_provider_unavailable`).'),
  },
};

export const deleteSchema = {
  tags,
  summary: 'Disconnect a workspace from its account at Stripe',
  params: WorkspaceParams,
  response: { 200: Success },
};
