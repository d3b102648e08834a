-- Large nights take time by their size and not by its square.

-- Due steps are performed in the order of their debts: what belongs to neighbours lies on the same pages.
drop index collection_step_due;
create index collection_step_due on collection_step (instance_id, planned_date, debt_id, id) where status = 'PLANNED';

-- As before (0012), each account, invoice and claim found once, by its key. A plan that was made while there were
-- no claims read all accounts of claims for every posting; without the other joins there is no such plan.
create or replace function post_to_accounts() returns trigger
language plpgsql security definer set search_path = pg_catalog, public
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  lacks_account boolean;
begin
  if exists (select from inserted group by instance_id, transaction_id, currency having sum(amount_minor) <> 0) then
    raise exception 'the postings of a transaction must sum to zero in every currency' using errcode = 'KV001';
  end if;
  -- Always lock accounts in one order, so that two transactions can never wait for each other.
  perform from ledger_account a
    where (a.instance_id, a.id) in (select instance_id, account_id from inserted)
    order by a.instance_id, a.id
    for no key update;
  with wanted as (
    select instance_id, account_id, currency, sum(amount_minor) as amount_minor from inserted group by 1, 2, 3
  ), moved as (
    update ledger_account a set balance_minor = a.balance_minor + w.amount_minor
    from wanted w
    where a.instance_id = w.instance_id and a.id = w.account_id and a.currency = w.currency
    returning a.instance_id, a.kind, a.invoice_id, a.claim_id, w.amount_minor
  ), of_debts as (
    select instance_id, invoice_id, claim_id,
      coalesce(sum(amount_minor) filter (where kind = 'principal'), 0) as principal,
      coalesce(sum(amount_minor) filter (where kind = 'costs'), 0) as costs,
      coalesce(sum(amount_minor) filter (where kind = 'interest'), 0) as interest
    from moved where kind in ('principal', 'costs', 'interest') group by 1, 2, 3
  ), of_invoices as (
    update invoice i
    set principal_minor = i.principal_minor + d.principal,
        costs_minor = i.costs_minor + d.costs,
        interest_minor = i.interest_minor + d.interest
    from of_debts d where i.instance_id = d.instance_id and i.id = d.invoice_id
  ), of_claims as (
    update claim c
    set principal_minor = c.principal_minor + d.principal,
        costs_minor = c.costs_minor + d.costs,
        interest_minor = c.interest_minor + d.interest
    from of_debts d where c.instance_id = d.instance_id and c.id = d.claim_id
  )
  select (select count(*) from wanted) <> (select count(*) from moved) into lacks_account;
  if lacks_account then
    raise exception 'a posting needs an account of its own currency' using errcode = 'KV003';
  end if;
  return null;
end $$;
