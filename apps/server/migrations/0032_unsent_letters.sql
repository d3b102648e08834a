-- A letter that was dropped before it was sent was never written: its step did not happen, and what it cost comes back.

alter table collection_step
  -- The last day whose interest was in the books before the step posted its own; null when there was none.
  add column interest_before date;
grant update (interest_before) on collection_step to kvitt_app;

-- As before (0012); or the fee was taken back with the step.
create or replace view inv_i16_fees_have_steps as
  select t.instance_id, t.id as transaction_id, t.kind
  from ledger_transaction t
  where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'COURT_FEE')
    and not exists (
      select from collection_step s where s.instance_id = t.instance_id and s.debt_id = coalesce(t.claim_id, t.invoice_id)
        and t.cause = 'step:' || s.id and s.status = 'PERFORMED')
    and not exists (
      select from ledger_transaction r where r.instance_id = t.instance_id
        and r.cause = 'unsent:' || substr(t.cause, length('step:') + 1));

-- What was never sent has not happened, and what was taken back did not happen either.
create view inv_i22_unsent_letters_cost_nothing as
  select m.instance_id, m.step_id, 'dropped' as violation
  from mail_outbox m join collection_step s on s.instance_id = m.instance_id and s.id = m.step_id
  where m.status = 'DROPPED' and s.status = 'PERFORMED'
    and s.type in ('REMINDER', 'COLLECTION_NOTIFICATION', 'COLLECTION_CLAIM')
  union all
  select t.instance_id, s.id, 'taken back'
  from ledger_transaction t
  join collection_step s on s.instance_id = t.instance_id and t.cause = 'unsent:' || s.id
  where s.status = 'PERFORMED';
grant select on inv_i22_unsent_letters_cost_nothing to kvitt_app;
