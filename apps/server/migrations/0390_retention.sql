-- What is over its time goes (docs/operations.md, "Personal data"): which debts are over and since when, what was found, who approved
-- it, and the only ways in which words about people become "[erased]". Postings, sums, days and numbers stay as they are.

-- Since when a debt is over, by the database's own day: the demo's clock moves, and a later day only keeps longer.
create table debt_end (
  instance_id uuid not null references instance (id),
  debt_id uuid not null,
  ended_on date not null,
  primary key (instance_id, debt_id)
);
create index debt_end_day on debt_end (instance_id, ended_on);
grant select on debt_end to kvitt_app;

create function note_debt_end() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into debt_end (instance_id, debt_id, ended_on) values (new.instance_id, new.id, current_date)
  on conflict (instance_id, debt_id) do update set ended_on = excluded.ended_on;
  return null;
end $$;
create trigger invoice_over_has_its_day after update of status on invoice for each row
  when (new.status in ('CLOSED', 'STOPPED', 'ARCHIVED') and old.status not in ('CLOSED', 'STOPPED', 'ARCHIVED'))
  execute function note_debt_end();
create trigger claim_over_has_its_day after update of status on claim for each row
  when (new.status in ('CLOSED', 'STOPPED') and old.status not in ('CLOSED', 'STOPPED'))
  execute function note_debt_end();
-- What is over as it is made: a credit that stands by itself, a bill of nothing, what an import knows to be paid.
create trigger invoice_made_over_has_its_day after insert on invoice for each row
  when (new.status in ('CLOSED', 'STOPPED', 'ARCHIVED')) execute function note_debt_end();
create trigger claim_made_over_has_its_day after insert on claim for each row
  when (new.status in ('CLOSED', 'STOPPED')) execute function note_debt_end();

-- Of what ended before this, the day of its last posting; of what was stopped nobody wrote the day down, so it begins today.
insert into debt_end (instance_id, debt_id, ended_on)
select i.instance_id, i.id, case when i.status = 'STOPPED' then current_date else greatest(i.expire_date, i.created_at::date,
  (select max(t.booked_on) from ledger_transaction t where t.instance_id = i.instance_id and t.invoice_id = i.id)) end
from invoice i where i.status in ('CLOSED', 'STOPPED', 'ARCHIVED')
union all
select c.instance_id, c.id, case when c.status = 'STOPPED' then current_date else greatest(c.expire_date, c.created_at::date,
  (select max(t.booked_on) from ledger_transaction t where t.instance_id = c.instance_id and t.claim_id = c.id)) end
from claim c where c.status in ('CLOSED', 'STOPPED');

-- Does a claim stand at an authority? What was applied for holds all that was said of it until it is rejected or withdrawn.
create function is_at_court(of_instance uuid, of_claim uuid) returns boolean language sql stable as $$
  select exists (select from court_application a where a.instance_id = of_instance and a.claim_id = of_claim
    and a.status not in ('REJECTED', 'WITHDRAWN'))
$$;

-- A debt that is over, with nothing left on it: what was stopped with something left is still owed, and may be paid. An invoice in a
-- claim is over with its claim. A draft that nobody sent is over a year after the day on which it was made, or was to be paid.
create view debt_over as
  select i.instance_id, i.id as debt_id, i.debtor_id, case when i.claim_id is null and i.status in ('CREATED', 'PENDING')
    then (greatest(i.created_at::date, i.expire_date) + interval '12 months')::date else greatest(e.ended_on, ce.ended_on) end as ended_on
  from invoice i
  left join debt_end e on e.instance_id = i.instance_id and e.debt_id = i.id
  left join claim c on c.instance_id = i.instance_id and c.id = i.claim_id
  left join debt_end ce on ce.instance_id = c.instance_id and ce.debt_id = c.id and c.status in ('CLOSED', 'STOPPED')
  where i.balance_minor = 0 and case
    when i.claim_id is not null then c.status in ('CLOSED', 'STOPPED') and c.balance_minor = 0 and ce.ended_on is not null
      and not is_at_court(i.instance_id, i.claim_id)
    when i.status in ('CREATED', 'PENDING') then greatest(i.created_at::date, i.expire_date) + interval '12 months' <= current_date
    else i.status in ('CLOSED', 'STOPPED', 'ARCHIVED') and e.ended_on is not null end
  union all
  select c.instance_id, c.id, c.debtor_id, e.ended_on from claim c
  join debt_end e on e.instance_id = c.instance_id and e.debt_id = c.id
  where c.status in ('CLOSED', 'STOPPED') and c.balance_minor = 0 and not is_at_court(c.instance_id, c.id);
grant select on debt_over to kvitt_app;

-- How many years after the calendar year of the last entry the books are kept (domain/data-protection/retention.ts has the sources).
create function books_kept_years(country char(2)) returns integer language sql immutable parallel safe as $$
  select case country when 'SE' then 7 when 'NO' then 5 when 'DK' then 5 else 10 end
$$;
-- The first day on which books of a day may go.
create function books_kept_until(country char(2), last date) returns date language sql immutable parallel safe as $$
  select make_date(extract(year from last)::integer + books_kept_years(country) + 1, 1, 1)
$$;

-- The first day on which a debtor may be forgotten; null while something of theirs is open: a debt, a plan, or money owed back.
create function person_kept_until(of_instance uuid, of_debtor uuid) returns date language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select case when exists (select from invoice i where i.instance_id = of_instance and i.debtor_id = of_debtor and not exists (
        select from debt_over o where o.instance_id = i.instance_id and o.debt_id = i.id))
      or exists (select from claim c where c.instance_id = of_instance and c.debtor_id = of_debtor and not exists (
        select from debt_over o where o.instance_id = c.instance_id and o.debt_id = c.id))
      or exists (select from part_payment p where p.instance_id = of_instance and p.debtor_id = of_debtor and p.status = 'ACTIVE')
      or exists (select from ledger_account a where a.instance_id = of_instance and a.debtor_id = of_debtor and a.balance_minor <> 0)
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
revoke execute on function person_kept_until(uuid, uuid) from public;
grant execute on function person_kept_until(uuid, uuid) to kvitt_app;

-- Has somebody who was erased got words again: of money that came, or of a bill that was made, after it?
create function has_later_words(of_instance uuid, of_debtor uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  with debt as (
    select id from invoice where instance_id = of_instance and debtor_id = of_debtor
    union all select id from claim where instance_id = of_instance and debtor_id = of_debtor),
  paid as (select p.id from payment p where p.instance_id = of_instance and p.debt_id in (select id from debt))
  select exists (select from invoice i where i.instance_id = of_instance and i.debtor_id = of_debtor and i.zip <> '[erased]')
    or exists (select from claim c where c.instance_id = of_instance and c.debtor_id = of_debtor and c.zip <> '[erased]')
    or exists (select from debtor_contact c where c.instance_id = of_instance and c.debtor_id = of_debtor and c.name <> '[erased]')
    or exists (select from bank_line l join debt on debt.id = l.invoice_id where l.instance_id = of_instance
      and num_nonnulls(l.payer, l.message, l.payer_account) > 0)
    or exists (select from bank_line l join debt on debt.id = l.claim_id where l.instance_id = of_instance
      and num_nonnulls(l.payer, l.message, l.payer_account) > 0)
    or exists (select from bank_line l join paid on paid.id = l.payment_id where l.instance_id = of_instance
      and num_nonnulls(l.payer, l.message, l.payer_account) > 0)
    or exists (select from payout o where o.instance_id = of_instance and o.number <> '[erased]' and split_part(o.about, ':', 2) in (
      select id::text from debt union all select id::text from paid union all select of_debtor::text
      union all select r.id::text from refund r where r.instance_id = of_instance and r.payment_id in (select id from paid)))
$$;
revoke execute on function has_later_words(uuid, uuid) from public;
grant execute on function has_later_words(uuid, uuid) to kvitt_app;

-- Does a person still look at what came of a payment? What its gateway told stays until they are done.
create function is_asked_about(of_instance uuid, of_payment uuid) returns boolean language sql stable as $$
  select exists (select from task t where t.instance_id = of_instance and t.done_at is null
    and (t.about = 'payment:' || of_payment or t.about like 'payment:' || of_payment || ':%'))
$$;

-- What was found over its time, until a person approves it; then it is erased, some at a time.
create table retention_run (
  instance_id uuid not null references instance (id),
  id uuid not null,
  -- One person's, who asked for it; else of all.
  debtor_id uuid,
  status text not null check (status in ('FOUND', 'APPROVED', 'DONE')),
  found_at timestamptz not null default now(),
  approved_by text,
  reason text,
  approved_at timestamptz,
  ended_at timestamptz,
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check ((status = 'FOUND') = (approved_by is null)),
  check ((approved_by is null) = (approved_at is null)),
  check ((status = 'DONE') = (ended_at is not null))
);
create unique index retention_run_found on retention_run (instance_id) where status = 'FOUND';
create index retention_run_to_do on retention_run (approved_at) where status = 'APPROVED';
grant select, insert on retention_run to kvitt_app;
grant update (status, approved_by, reason, approved_at, ended_at) on retention_run to kvitt_app;

create table retention_item (
  instance_id uuid not null,
  run_id uuid not null,
  kind text not null check (kind in ('ARCHIVE', 'NEWS', 'CASE', 'BOOKS', 'FILES')),
  -- A debt, a payment, a debtor or a file, by its kind.
  subject_id uuid not null,
  -- Since when it was over, or the day that its time is counted from.
  since date not null,
  -- LEFT: when its turn came it was not over any more.
  state text not null default 'FOUND' check (state in ('FOUND', 'DONE', 'LEFT')),
  primary key (instance_id, run_id, kind, subject_id),
  foreign key (instance_id, run_id) references retention_run (instance_id, id)
);
create index retention_item_to_do on retention_item (instance_id, run_id) where state = 'FOUND';
grant select, insert on retention_item to kvitt_app;
grant update (state) on retention_item to kvitt_app;

-- As before; but what erases, which the program cannot be, may put "[erased]" where words about a person stood. Postings,
-- transactions, settlements and all else that says a sum or who decided stay closed to it too.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('kvitt.erasing', true) = 'on'
    and tg_table_name in ('conversation_message', 'conversation_file', 'direct_payment', 'moved_payment', 'task_note', 'payout_file')
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid) then
    return null;
  end if;
  raise exception '% is append-only: a correction is another entry', tg_table_name using errcode = 'KV002';
end $$;

-- Everybody who moves money locks debts first: invoices by id, then claims. Who is to be erased comes after them. What is judged
-- under these locks stays so until it is erased.
create function lock_to_erase(of_instance uuid, debts uuid[], debtors uuid[]) returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  claims uuid[];
begin
  select coalesce(array_agg(c.id), '{}') into claims from (
    select id from claim where instance_id = of_instance and id = any (debts)
    union select id from claim where instance_id = of_instance and debtor_id = any (debtors)
    union select claim_id from invoice where instance_id = of_instance and id = any (debts) and claim_id is not null
    union select claim_id from invoice where instance_id = of_instance and debtor_id = any (debtors) and claim_id is not null) c;
  perform from invoice where instance_id = of_instance and id in (
    select unnest(debts)
    union select id from invoice where instance_id = of_instance and debtor_id = any (debtors)
    union select id from invoice where instance_id = of_instance and claim_id = any (claims)) order by id for update;
  perform from claim where instance_id = of_instance and id = any (claims) order by id for update;
  perform from debtor where instance_id = of_instance and id = any (debtors) order by id for update;
end $$;

-- The words of a case 36 months after its end: what was written by and to the debtor. False when it is not over for so long.
create function erase_case(of_instance uuid, of_debt uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_to_erase(of_instance, array[of_debt], '{}');
  if not exists (select from debt_over o where o.instance_id = of_instance and o.debt_id = of_debt
    and o.ended_on <= current_date - interval '36 months') then return false; end if;
  perform set_config('kvitt.erasing', 'on', true);
  update dispute set email = '', reason = '[erased]', decision = case when decision is null then null else '[erased]' end
    where instance_id = of_instance and debt_id = of_debt;
  update file f set content = '' from dispute_file x join dispute s on s.instance_id = x.instance_id and s.id = x.dispute_id
    where f.instance_id = x.instance_id and f.id = x.id and s.instance_id = of_instance and s.debt_id = of_debt;
  update dispute_file x set name = '[erased]', description = null from dispute s
    where s.instance_id = x.instance_id and s.id = x.dispute_id and s.instance_id = of_instance and s.debt_id = of_debt;
  update file f set content = '' from conversation_file x join conversation s on s.instance_id = x.instance_id and s.id = x.conversation_id
    where f.instance_id = x.instance_id and f.id = x.id and s.instance_id = of_instance and s.debt_id = of_debt;
  update conversation_file x set name = '[erased]', description = null from conversation s
    where s.instance_id = x.instance_id and s.id = x.conversation_id and s.instance_id = of_instance and s.debt_id = of_debt;
  update conversation_message x set text = '[erased]' from conversation s
    where s.instance_id = x.instance_id and s.id = x.conversation_id and s.instance_id = of_instance and s.debt_id = of_debt;
  update conversation set email = '' where instance_id = of_instance and debt_id = of_debt;
  -- What a letter says stands in its file alone: there is no word to erase.
  update mail_outbox set recipient = case when recipient is null then null else '[erased]' end,
      subject = case when subject is null then null else '[erased]' end,
      text_body = case when text_body is null then null else '[erased]' end,
      html_body = case when html_body is null then null else '[erased]' end
    where instance_id = of_instance and coalesce(claim_id, invoice_id) = of_debt and status <> 'WAITING';
  update direct_payment set note = null where instance_id = of_instance and (invoice_id = of_debt or claim_id = of_debt);
  perform set_config('kvitt.erasing', 'off', true);
  return true;
end $$;

-- What a gateway told of a payment, 13 months after: its own words name the payer.
create function erase_news(of_instance uuid, of_payment uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update gateway_event set body = '{}' where instance_id = of_instance and payment_id = of_payment and body <> '{}'
    and received_at < now() - interval '13 months' and (applied_at is not null or parked_reason is not null)
    and not is_asked_about(of_instance, of_payment);
  return found;
end $$;

-- The bytes that a bank was handed for refunds, when books of their day may go: names and accounts of debtors.
create function erase_file(of_instance uuid, of_file uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform set_config('kvitt.erasing', 'on', true);
  update payout_file f set content = '[erased]' from instance n where n.id = f.instance_id and f.instance_id = of_instance and f.id = of_file
    and f.kind = 'REFUND' and books_kept_until(n.country, f.execution_on) <= current_date;
  perform set_config('kvitt.erasing', 'off', true);
  return found;
end $$;

-- A person, when the books of their last year may go. Sums, days, numbers and references stay and lead to nobody.
create function erase_person(of_instance uuid, of_debtor uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  invoices uuid[];
  claims uuid[];
  payments uuid[];
  files uuid[];
  known text[];
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
    or to_invoice_id = any (invoices) or from_claim_id = any (claims) or to_claim_id = any (claims));
  update bank_line set payer = null, message = null, payer_scheme = null, payer_account = null where instance_id = of_instance
    and (invoice_id = any (invoices) or claim_id = any (claims) or payment_id = any (payments));
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
      or payment_id = any (payments))) k;
  update payout set number = '[erased]', receiver_name = '[erased]', bic = null
    where instance_id = of_instance and number is not null and split_part(about, ':', 2) = any (known);
  update task_note x set text = '[erased]' from task t where t.instance_id = x.instance_id and t.id = x.task_id
    and t.instance_id = of_instance and split_part(t.about, ':', 2) = any (known);
  -- Of a task that is over, what is neither an id, a sum, a day nor a code goes.
  update task t set details = (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(t.details) e
      where jsonb_typeof(e.value) in ('number', 'boolean') or e.value #>> '{}' ~ '^([0-9a-f-]{36}|\d{4}-\d\d-\d\d|[A-Z_]{2,30})$')
    where t.instance_id = of_instance and t.done_at is not null and split_part(t.about, ':', 2) = any (known);
  update debtor_contact set name = '[erased]', email = null, phone = null, address = null, address2 = null, zip = '[erased]', city = null
    where instance_id = of_instance and debtor_id = of_debtor;
  update debtor set identity = 'erased ' || id, name = '[erased]', identification_number = null, email = null, phone = null,
      address = null, address2 = null, zip = '[erased]', city = null, electronic_address = null
    where instance_id = of_instance and id = of_debtor;
  perform set_config('kvitt.erasing', 'off', true);
  return true;
end $$;

revoke execute on function lock_to_erase(uuid, uuid[], uuid[]), erase_case(uuid, uuid), erase_news(uuid, uuid), erase_file(uuid, uuid), erase_person(uuid, uuid) from public;
grant execute on function lock_to_erase(uuid, uuid[], uuid[]), erase_case(uuid, uuid), erase_news(uuid, uuid), erase_file(uuid, uuid), erase_person(uuid, uuid) to kvitt_app;

-- Whoever is erased has no word left, here or in an old row that came back.
create view inv_i55_erased_is_erased as
  select d.instance_id, d.id as debtor_id, 'words are left' as violation from debtor d
  where d.identity = 'erased ' || d.id and (d.name <> '[erased]' or num_nonnulls(d.identification_number, d.email, d.phone, d.address) > 0
    or exists (select from debtor_contact c where c.instance_id = d.instance_id and c.debtor_id = d.id and c.name <> '[erased]')
    or exists (select from invoice i where i.instance_id = d.instance_id and i.debtor_id = d.id and i.zip <> '[erased]'))
  union all
  select i.instance_id, i.subject_id, 'said to be erased, and is not' from retention_item i
  join debtor d on d.instance_id = i.instance_id and d.id = i.subject_id
  where i.kind = 'BOOKS' and i.state = 'DONE' and d.identity <> 'erased ' || d.id;
grant select on inv_i55_erased_is_erased to kvitt_app;
