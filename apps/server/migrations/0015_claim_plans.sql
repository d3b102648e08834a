-- Claims in part payment: what a plan pays is an invoice or a claim, one debt either way.

alter table part_payment_member drop constraint part_payment_member_pkey;
alter table part_payment_member alter column invoice_id drop not null,
  add column claim_id uuid,
  add column debt_id uuid not null generated always as (coalesce(invoice_id, claim_id)) stored,
  add foreign key (instance_id, claim_id) references claim (instance_id, id),
  add check (num_nonnulls(invoice_id, claim_id) = 1),
  add primary key (instance_id, debt_id);
grant update (amount_minor) on part_payment_member to kvitt_app;
grant update (is_part_payment, part_payment_variant, expire_date, interest_posted_to) on claim to kvitt_app;

-- A running plan has its mark on what it pays and nothing else has; its schedule bills no more than it took over.
create or replace view inv_i10_plans_add_up as
  select x.instance_id, x.id as subject_id, 'mark' as wrong
  from (
    select instance_id, id, is_part_payment, part_payment_variant from invoice
    union all
    select instance_id, id, is_part_payment, part_payment_variant from claim) x
  left join part_payment_member m on m.instance_id = x.instance_id and m.debt_id = x.id
  left join part_payment p on p.instance_id = m.instance_id and p.id = m.part_payment_id
  where x.is_part_payment <> (p.status is not null and p.status = 'ACTIVE')
    or (x.is_part_payment and x.part_payment_variant is null)
  union all
  select p.instance_id, p.id, 'sum'
  from part_payment p
  where p.status = 'ACTIVE' and p.amount_minor < (
    select coalesce(sum(n.principal_minor), 0) from part_payment_instalment n
    where n.instance_id = p.instance_id and n.part_payment_id = p.id)
  union all
  select p.instance_id, p.id, 'members'
  from part_payment p
  where p.amount_minor <> (select coalesce(sum(m.amount_minor), 0) from part_payment_member m
    where m.instance_id = p.instance_id and m.part_payment_id = p.id);

-- Each krona counts once: what left a plan's debts stands on its instalments' invoices, to the öre.
create or replace view inv_i18_plan_money_counts_once as
  select p.instance_id, p.id as part_payment_id, sum(o.amount_minor) as sum_minor
  from part_payment p
  join (
    select instance_id, part_payment_id, debt_id, false as is_instalment from part_payment_member
    union all
    select instance_id, part_payment_id, invoice_id, true from part_payment_instalment where invoice_id is not null
  ) x on x.instance_id = p.instance_id and x.part_payment_id = p.id
  join ledger_transaction t on t.instance_id = x.instance_id and coalesce(t.invoice_id, t.claim_id) = x.debt_id
    and (t.kind = 'TRANSFER_TO_PLAN' or (t.kind = 'INVOICE' and x.is_instalment))
  join posting o on o.instance_id = t.instance_id and o.transaction_id = t.id
  join ledger_account a on a.instance_id = o.instance_id and a.id = o.account_id
    and coalesce(a.invoice_id, a.claim_id) = coalesce(t.invoice_id, t.claim_id)
  group by p.instance_id, p.id
  having sum(o.amount_minor) <> 0;

-- What is billed and paid closes what the plan pays; until then nothing is marked that is over.
update invoice i set is_part_payment = false from part_payment_member m
  join part_payment p on p.instance_id = m.instance_id and p.id = m.part_payment_id
  where m.instance_id = i.instance_id and m.invoice_id = i.id and p.status = 'COMPLETED';
