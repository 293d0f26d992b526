-- Payments: whoever sends a form pays on Stripe's page, and the complete submission waits among what was set aside until then.

-- The account at Stripe that the forms of a workspace take payments for.
create table workspace_payment_accounts (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  -- as Stripe calls it; null where the key may not ask
  account_id text,
  account_name text,
  mode text not null check (mode in ('test', 'live')),
  secret_key_encrypted bytea not null,
  updated_at timestamptz not null default now()
);

-- What has to be paid, in the smallest unit of the currency; null for what waits for something else.
alter table set_aside_submissions add column amount_due bigint, add column due_currency text,
  -- what is known of paying: server/payments/checkout.ts; null before somebody has begun to
  add column checkout jsonb;
create index set_aside_submissions_unpaid_idx on set_aside_submissions (form_id, public_id) where amount_due is not null;
-- those that Stripe has to be asked about
create index set_aside_submissions_ask_idx on set_aside_submissions (((checkout->>'askAt')::bigint))
  where checkout->>'state' in ('open', 'processing');

-- Payments received, as long as the submission exists. By the public id, which stays the same in the trash and back. No foreign key: rows
-- of a deleted form go in steps, as its submissions do.
create table payments (
  form_id bigint not null,
  public_id uuid not null,
  provider text not null,
  -- of the payment at the provider, such as pi_…
  reference text not null,
  amount_minor bigint not null,
  currency text not null,
  mode text not null check (mode in ('test', 'live')),
  paid_at timestamptz not null,
  primary key (form_id, public_id)
);
