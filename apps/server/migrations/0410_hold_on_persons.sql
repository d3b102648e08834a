-- What money that went back is known by is found wherever in its `about` the id stands: `refund:payment:{id}` was nobody's.

-- The ids in what something is about: `refund:reversal:payment:{id}`, `bank-line:{id}:1`.
create function ids_in(about text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(m[1]), '{}') from regexp_matches(about, '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'g') m
$$;
create index payout_of_ids on payout using gin (ids_in(about)) where about is not null;

-- As before (0404); and by the dispute, or the entry of the books, that it is owed for.
create or replace function names_of_money(of_instance uuid, of_debtor uuid) returns text[] language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  with debt as (
    select id from invoice where instance_id = of_instance and debtor_id = of_debtor
    union all select id from claim where instance_id = of_instance and debtor_id = of_debtor),
  paid as (select p.id from payment p where p.instance_id = of_instance and p.debt_id in (select id from debt))
  select array_agg(k.id::text) from (
    select of_debtor as id union all select id from debt union all select id from paid
    union all select r.id from refund r where r.instance_id = of_instance and r.payment_id in (select id from paid)
    union all select l.id from bank_line l join debt on debt.id = l.invoice_id where l.instance_id = of_instance
    union all select l.id from bank_line l join debt on debt.id = l.claim_id where l.instance_id = of_instance
    union all select l.id from bank_line l join paid on paid.id = l.payment_id where l.instance_id = of_instance
    union all select s.id from dispute s where s.instance_id = of_instance and s.debt_id in (select id from debt)
    union all select i::uuid from ledger_transaction t cross join unnest(ids_in(t.cause)) i where t.instance_id = of_instance
      and t.cause like 'refund%' and t.invoice_id in (select id from debt)
    union all select i::uuid from ledger_transaction t cross join unnest(ids_in(t.cause)) i where t.instance_id = of_instance
      and t.cause like 'refund%' and t.claim_id in (select id from debt)) k
$$;

-- As before (0404).
create or replace view hold_subject as
  select h.instance_id, h.id as hold_id, h.debtor_id, s.subject_id
  from legal_hold h cross join lateral (
    select h.debtor_id as subject_id
    union all select i.id from invoice i where i.instance_id = h.instance_id and i.debtor_id = h.debtor_id
    union all select c.id from claim c where c.instance_id = h.instance_id and c.debtor_id = h.debtor_id
    union all select p.id from payment p join invoice i on i.instance_id = p.instance_id and i.id = p.debt_id
      where i.instance_id = h.instance_id and i.debtor_id = h.debtor_id
    union all select p.id from payment p join claim c on c.instance_id = p.instance_id and c.id = p.debt_id
      where c.instance_id = h.instance_id and c.debtor_id = h.debtor_id
    union all select o.file_id from (select names_of_money(h.instance_id, h.debtor_id) as ids offset 0) n
      join payout o on o.instance_id = h.instance_id and ids_in(o.about) && n.ids
      join payout_file f on f.instance_id = o.instance_id and f.id = o.file_id and f.kind = 'REFUND') s;

-- Lines of the bank whose money was moved from or to a debt of somebody who is held: they say of the held one too.
create function lines_of_held(of_instance uuid) returns uuid[] language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(distinct m.line_id), '{}') from moved_payment m join held_subject h on h.instance_id = m.instance_id
    and h.subject_id in (m.from_invoice_id, m.to_invoice_id, m.from_claim_id, m.to_claim_id) where m.instance_id = of_instance
$$;
revoke execute on function lines_of_held(uuid) from public;
grant execute on function lines_of_held(uuid) to kvitt_app;

-- As before (0390); also of why money was moved. What stays for somebody else's hold is found when that is over.
create or replace function has_later_words_of_debts(of_instance uuid, of_debtor uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  with debt as (
    select id from invoice where instance_id = of_instance and debtor_id = of_debtor
    union all select id from claim where instance_id = of_instance and debtor_id = of_debtor),
  paid as (select p.id from payment p where p.instance_id = of_instance and p.debt_id in (select id from debt))
  select exists (select from invoice i where i.instance_id = of_instance and i.debtor_id = of_debtor and i.zip <> '[erased]')
    or exists (select from claim c where c.instance_id = of_instance and c.debtor_id = of_debtor and c.zip <> '[erased]')
    or exists (select from debtor_contact c where c.instance_id = of_instance and c.debtor_id = of_debtor and c.name <> '[erased]')
    or exists (select from bank_line l join debt on debt.id = l.invoice_id where l.instance_id = of_instance
      and num_nonnulls(l.payer, l.message, l.payer_account) > 0 and l.id <> all ((select lines_of_held(of_instance))::uuid[]))
    or exists (select from bank_line l join debt on debt.id = l.claim_id where l.instance_id = of_instance
      and num_nonnulls(l.payer, l.message, l.payer_account) > 0 and l.id <> all ((select lines_of_held(of_instance))::uuid[]))
    or exists (select from bank_line l join paid on paid.id = l.payment_id where l.instance_id = of_instance
      and num_nonnulls(l.payer, l.message, l.payer_account) > 0 and l.id <> all ((select lines_of_held(of_instance))::uuid[]))
    or exists (select from payout o where o.instance_id = of_instance and o.number <> '[erased]' and ids_in(o.about) && (select names_of_money(of_instance, of_debtor))
      and not ids_in(o.about) && (select lines_of_held(of_instance))::text[])
    or exists (select from moved_payment m where m.instance_id = of_instance and m.reason <> '[erased]'
      and (m.from_invoice_id in (select id from debt) or m.to_invoice_id in (select id from debt)
        or m.from_claim_id in (select id from debt) or m.to_claim_id in (select id from debt))
      and m.line_id <> all ((select lines_of_held(of_instance))::uuid[]))
$$;

-- As before (0390); but lines whose other debt is held stay, with why they were moved, until that hold is over.
create or replace function erase_person_now(of_instance uuid, of_debtor uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  invoices uuid[];
  claims uuid[];
  payments uuid[];
  files uuid[];
  known text[];
  kept uuid[] := lines_of_held(of_instance);
begin
  perform lock_to_erase(of_instance, '{}', array[of_debtor]);
  if person_kept_until(of_instance, of_debtor) is null or person_kept_until(of_instance, of_debtor) > current_date then return false; end if;
  select coalesce(array_agg(id), '{}') into invoices from invoice where instance_id = of_instance and debtor_id = of_debtor;
  select coalesce(array_agg(id), '{}') into claims from claim where instance_id = of_instance and debtor_id = of_debtor;
  select coalesce(array_agg(id), '{}') into payments from payment
    where instance_id = of_instance and debt_id = any (invoices || claims);
  perform erase_case(of_instance, o.id) from unnest(invoices || claims) o (id);
  perform set_config('kvitt.erasing', 'on', true);
  select coalesce(array_agg(id), '{}') into files from (
    select file_id as id from document where instance_id = of_instance and invoice_id = any (invoices)
    union all select file_id from mail_outbox where instance_id = of_instance and file_id is not null
      and coalesce(claim_id, invoice_id) = any (invoices || claims)) f;
  update file set content = '' where instance_id = of_instance and id = any (files);
  update document set name_raw = '[erased]' where instance_id = of_instance and invoice_id = any (invoices);
  update credit_note set credited_rows = null where instance_id = of_instance and invoice_id = any (invoices);
  update invoice set zip = '[erased]', property = null, rows = '[]', customer_number = null, already_sent = null
    where instance_id = of_instance and id = any (invoices);
  update claim set zip = '[erased]' where instance_id = of_instance and id = any (claims);
  update moved_payment set reason = '[erased]' where instance_id = of_instance and (from_invoice_id = any (invoices)
    or to_invoice_id = any (invoices) or from_claim_id = any (claims) or to_claim_id = any (claims)) and line_id <> all (kept);
  update bank_line set payer = null, message = null, payer_scheme = null, payer_account = null where instance_id = of_instance
    and (invoice_id = any (invoices) or claim_id = any (claims) or payment_id = any (payments)) and id <> all (kept);
  update part_payment set agreement = '{}' where instance_id = of_instance and debtor_id = of_debtor;
  update part_payment_member set agreement = '{}' where instance_id = of_instance and debt_id = any (invoices || claims)
    and agreement is not null;
  update court_decision x set reason = '[erased]' from court_application a where a.instance_id = x.instance_id
    and a.id = x.application_id and a.instance_id = of_instance and a.claim_id = any (claims);
  update court_application set case_number = '[erased]', case_key = 'erased ' || id, reason = '[erased]'
    where instance_id = of_instance and claim_id = any (claims);
  update import_row set invoice_number = '', cells = '[]', edits = null, document = null, problems = null
    where instance_id = of_instance and invoice_id = any (invoices);
  select coalesce(array_agg(id::text), '{}') into known from (
    select unnest(invoices || claims || payments || of_debtor) as id
    union select id from dispute where instance_id = of_instance and debt_id = any (invoices || claims)
    union select id from conversation where instance_id = of_instance and debt_id = any (invoices || claims)
    union select id from refund where instance_id = of_instance and payment_id = any (payments)
    union select id from bank_line where instance_id = of_instance and (invoice_id = any (invoices) or claim_id = any (claims)
      or payment_id = any (payments))
    union select unnest(names_of_money(of_instance, of_debtor))::uuid) k where k.id <> all (kept);
  update payout set number = '[erased]', receiver_name = '[erased]', bic = null
    where instance_id = of_instance and number is not null and ids_in(about) && known;
  update task_note x set text = '[erased]' from task t where t.instance_id = x.instance_id and t.id = x.task_id
    and t.instance_id = of_instance and (split_part(t.about, ':', 2) = any (known) or t.about like '%:%:%' and ids_in(t.about) && known);
  -- Of a task that is over, what is neither an id, a sum, a day nor a code goes.
  update task t set details = (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(t.details) e
      where jsonb_typeof(e.value) in ('number', 'boolean') or e.value #>> '{}' ~ '^([0-9a-f-]{36}|\d{4}-\d\d-\d\d|[A-Z_]{2,30})$')
    where t.instance_id = of_instance and t.done_at is not null and (split_part(t.about, ':', 2) = any (known) or t.about like '%:%:%' and ids_in(t.about) && known);
  update debtor_contact set name = '[erased]', email = null, phone = null, address = null, address2 = null, zip = '[erased]', city = null
    where instance_id = of_instance and debtor_id = of_debtor;
  update debtor set identity = 'erased ' || id, name = '[erased]', identification_number = null, email = null, phone = null,
      address = null, address2 = null, zip = '[erased]', city = null, electronic_address = null
    where instance_id = of_instance and id = of_debtor;
  perform set_config('kvitt.erasing', 'off', true);
  return true;
end $$;

-- As before (0404); also of words that a hold was lifted with after its person was erased.
create or replace function has_later_words(of_instance uuid, of_debtor uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select has_later_words_of_debts(of_instance, of_debtor) or exists (select from legal_hold h
    where h.instance_id = of_instance and h.debtor_id = of_debtor and (h.reason <> '[erased]' or h.lift_reason <> '[erased]')
      and (h.lifted_at is not null or h.until_on < current_date))
$$;

-- "From today" is said on the provider's day, which is at most one ahead of the database's.
create or replace function is_standing(h legal_hold) returns boolean language sql stable as $$
  select h.lifted_at is null and h.from_on <= current_date + 1 and current_date <= coalesce(h.until_on, 'infinity')
$$;

-- As before (0404), by the days on which a hold stands: what went before them went rightly.
create or replace view inv_i39_held_is_kept as
  select h.instance_id, h.id as hold_id, i.subject_id, 'erased while held' as violation
  from retention_item i
  join hold_subject s on s.instance_id = i.instance_id and s.subject_id = i.subject_id
  join legal_hold h on h.instance_id = s.instance_id and h.id = s.hold_id
  where i.state = 'DONE' and i.erased_at > h.set_at and (h.lifted_at is null or i.erased_at < h.lifted_at)
    and i.erased_on between h.from_on - 1 and coalesce(h.until_on, 'infinity')
  union all
  select h.instance_id, h.hold_id, h.subject_id, 'gone without a run'
  from held_subject h
  join debtor d on d.instance_id = h.instance_id and d.id = h.subject_id
  join legal_hold l on l.instance_id = h.instance_id and l.id = h.hold_id
  where d.identity = 'erased ' || d.id and not exists (select from retention_item i where i.instance_id = d.instance_id
    and i.kind = 'BOOKS' and i.subject_id = d.id and i.state = 'DONE' and (coalesce(i.erased_at, '-infinity') < l.set_at or i.erased_on < l.from_on - 1));
