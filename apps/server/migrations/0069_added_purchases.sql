-- A purchase that is added to an account is a credit of its own: its own agreement, terms and right of withdrawal. Null for what
-- a plan began with, whose agreement is the plan's.

alter table part_payment_member
  add column agreement jsonb,
  -- Null with an agreement: a company has no right to withdraw.
  add column withdraw_until date,
  add column idempotency_key text,
  add column request_hash bytea,
  add check ((agreement is null) = (request_hash is null) and (agreement is null) = (idempotency_key is null)),
  add check (withdraw_until is null or agreement is not null);
-- What is withdrawn leaves the account for a plan of its own, which ended that day.
grant update (part_payment_id) on part_payment_member to kvitt_app;
