-- A fee whose principal was credited is gone with it (I5), also when its letter was then never sent.

-- As before (0032); or the fee went with a credit.
create or replace view inv_i16_fees_have_steps as
  select t.instance_id, t.id as transaction_id, t.kind
  from ledger_transaction t
  where t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'COURT_FEE')
    and not exists (
      select from collection_step s where s.instance_id = t.instance_id and s.debt_id = coalesce(t.claim_id, t.invoice_id)
        and t.cause = 'step:' || s.id and s.status = 'PERFORMED')
    and not exists (
      select from ledger_transaction r where r.instance_id = t.instance_id
        and r.cause in ('unsent:' || substr(t.cause, length('step:') + 1), 'credited:' || t.cause));
