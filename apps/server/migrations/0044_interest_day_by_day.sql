-- Interest is the law's sum over what was owed on each day, rounded once (D-28). What a posting's rounding leaves over is
-- kept for the next one; what was paid or taken back between two postings is kept with its days until they are posted, or
-- billed once nothing is owed any more.

alter table invoice add column interest_rest bigint not null default 0;
alter table claim add column interest_rest bigint not null default 0;
comment on column invoice.interest_rest is 'what the postings of interest left over, in 365 millionths of a minor unit';
comment on column claim.interest_rest is 'what the postings of interest left over, in 365 millionths of a minor unit';
-- What it was before this step, so that a letter that never was takes nothing with it.
alter table collection_step add column rest_before bigint;
grant update (interest_rest) on invoice to kvitt_app;
grant update (interest_rest) on claim to kvitt_app;
grant update (rest_before) on collection_step to kvitt_app;

drop view inv_i25_late_interest_is_billed_once;
alter table late_payment rename to late_days;
alter index late_payment_waiting rename to late_days_waiting;
alter table late_days rename column paid_on to to_day;
alter table late_days drop constraint late_payment_principal_minor_check,
  drop constraint late_payment_status_check, drop constraint late_payment_pkey,
  drop constraint late_payment_check1,
  -- The check that ties a bill to its status names this column and goes with it.
  drop column interest_minor;
alter table late_days
  -- A payment that was taken back: on these days its principal looked paid, and bore nothing.
  add column is_back boolean not null default false,
  -- The step whose posting counted it.
  add column step_id uuid;
alter table late_days
  add primary key (instance_id, payment_id, is_back),
  -- No day at all when interest had been posted on that very day: the posting may be taken back.
  add check (from_day <= to_day + 1),
  add check (principal_minor <> 0 and is_back = (principal_minor < 0)),
  -- SMALL: the debt ended and it was too little to bill; it counts again when the debt comes back. DROPPED: it was not owed.
  add constraint late_days_status_check check (status in ('WAITING', 'POSTED', 'BILLED', 'SMALL', 'DROPPED')),
  add check ((status = 'BILLED') = (bill_id is not null)),
  add check ((status = 'POSTED') = (step_id is not null)),
  add foreign key (instance_id, step_id) references collection_step (instance_id, id);
create index late_days_posted on late_days (instance_id, step_id) where step_id is not null;
create index late_days_of_debt on late_days (instance_id, debt_id);
grant update (step_id, from_day) on late_days to kvitt_app;

-- What a decision for the debtor, or a credit of all of it, had taken the ground from was found by asking each night.
update late_days l set status = 'DROPPED'
where l.status = 'WAITING' and (
  exists (select from ledger_transaction t where t.instance_id = l.instance_id
    and coalesce(t.claim_id, t.invoice_id) = l.debt_id and t.posted_at >= l.booked_at
    and (t.cause like 'dispute:%' or t.cause like 'upheld:%'))
  or coalesce((select sum(p.amount_minor) from ledger_transaction t
      join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id and p.amount_minor > 0
      where t.instance_id = l.instance_id and (t.invoice_id = l.invoice_id or t.claim_id = l.claim_id)
        and t.kind = 'CREDIT_INVOICE'), 0)
    >= coalesce((select total_minor from invoice i where i.instance_id = l.instance_id and i.id = l.invoice_id),
        (select total_minor from claim c where c.instance_id = l.instance_id and c.id = l.claim_id)));

-- An interest invoice is about late days, asks for what its lines say, and no other document is made of late days.
create view inv_i25_late_interest_is_billed_once as
  select l.instance_id, l.bill_id, 'not an interest invoice' as what
  from late_days l join invoice b on b.instance_id = l.instance_id and b.id = l.bill_id
  where b.type <> 'INTEREST_INVOICE'
  union all
  select b.instance_id, b.id, 'its lines are another sum'
  from invoice b where b.type = 'INTEREST_INVOICE'
    and b.total_minor <> (select coalesce(sum((r ->> 'amountMinor')::bigint), 0) from jsonb_array_elements(b.rows) r);
grant select on inv_i25_late_interest_is_billed_once to kvitt_app;
