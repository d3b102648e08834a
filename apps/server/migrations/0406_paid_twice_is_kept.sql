-- As before (0390), and null while a debtor has been paid twice and has not paid all of it back: whom we ask is not forgotten.
create or replace function person_kept_until(of_instance uuid, of_debtor uuid) returns date language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select case when exists (select from invoice i where i.instance_id = of_instance and i.debtor_id = of_debtor and not exists (
        select from debt_over o where o.instance_id = i.instance_id and o.debt_id = i.id))
      or exists (select from claim c where c.instance_id = of_instance and c.debtor_id = of_debtor and not exists (
        select from debt_over o where o.instance_id = c.instance_id and o.debt_id = c.id))
      or exists (select from part_payment p where p.instance_id = of_instance and p.debtor_id = of_debtor and p.status = 'ACTIVE')
      or exists (select from ledger_account a where a.instance_id = of_instance and a.debtor_id = of_debtor and a.balance_minor <> 0)
      or exists (select from paid_twice w
        join payout y on y.instance_id = w.instance_id and y.id = w.payout_id
        join ledger_transaction t on t.instance_id = y.instance_id and t.cause = y.cause
        left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
        left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
        where w.instance_id = of_instance and of_debtor in (i.debtor_id, c.debtor_id)
          and w.amount_minor > coalesce((select sum(e.amount_minor) from bank_entry e
            where e.instance_id = w.instance_id and e.payout_id = w.payout_id), 0))
    then null
    else books_kept_until(n.country, greatest(d.created_at::date,
      (select max(o.ended_on) from debt_over o where o.instance_id = of_instance and o.debtor_id = of_debtor),
      (select max(t.booked_on) from ledger_transaction t join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
        where i.instance_id = of_instance and i.debtor_id = of_debtor),
      (select max(t.booked_on) from ledger_transaction t join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
        where c.instance_id = of_instance and c.debtor_id = of_debtor),
      (select max(l.bank_date) from bank_line l join invoice i on i.instance_id = l.instance_id and i.id = l.invoice_id
        where i.instance_id = of_instance and i.debtor_id = of_debtor),
      (select max(l.bank_date) from bank_line l join claim c on c.instance_id = l.instance_id and c.id = l.claim_id
        where c.instance_id = of_instance and c.debtor_id = of_debtor))) end
  from debtor d join instance n on n.id = d.instance_id where d.instance_id = of_instance and d.id = of_debtor
$$;
