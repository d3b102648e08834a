-- Payments by phone: what a gateway echoes, what the payer's phone was sent, and ends that nobody knows yet.

alter table payment
  -- What the gateway has to send along with its callback, besides knowing the address.
  add column callback_identifier text,
  -- The payer's phone was asked by its number: it can be signed even when the answer to us was lost.
  add column is_pushed boolean not null default false,
  -- The gateway itself does not know whether money moved.
  add column is_outcome_unknown boolean not null default false;
grant update (is_outcome_unknown) on payment to kvitt_app;

-- When an event that could not be applied is looked at again.
alter table gateway_event add column next_at timestamptz not null default now();
grant update (next_at) on gateway_event to kvitt_app;
