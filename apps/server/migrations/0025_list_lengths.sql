-- How long the lists of a debtor's invoices are, kept by the database itself (docs/decisions/018). Counting a list of
-- 10,000 each time a page of it is read was most of what that read cost.

-- The status under which an invoice stands in its debtor's lists; null when it stands in none: credit invoices (D-32),
-- what an open claim holds (A-15), and states that nobody is shown.
create function listed_as(p_type text, p_status text, p_claim uuid) returns text
language sql immutable parallel safe as $$
  select case when p_type <> 'CREDIT_INVOICE' and p_status not in ('CREATED', 'PENDING', 'ARCHIVED')
    and (p_claim is null or p_status in ('CLOSED', 'STOPPED')) then p_status end
$$;

-- A debtor's numbers are the sums over its slots. Whoever changes them takes a slot that nobody holds, or makes one:
-- there is never a wait, so this row can neither hold up a payment nor be part of a deadlock. There are as many slots
-- as transactions once changed this debtor's lists at the same moment, mostly one. A slot alone may be below zero.
create table list_length (
  instance_id uuid not null,
  debtor_id uuid not null,
  slot bigint generated always as identity,
  activated integer not null,
  paused integer not null,
  disputed integer not null,
  pending_authorization integer not null,
  closed integer not null,
  stopped integer not null,
  primary key (instance_id, debtor_id, slot),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id)
);
-- Room for the next version of a row beside it, so that a count that moves touches no index.
alter table list_length set (fillfactor = 70);
grant select on list_length to kvitt_app;

-- Adds the changes, whose slot is null, one for each debtor. Its plans do not wait for statistics: the only way into
-- the table is its key.
create function change_list_lengths(p_changes list_length[]) returns void
language plpgsql security definer set search_path = pg_catalog, public
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  placed list_length[];
begin
  select array_agg(row(c.instance_id, c.debtor_id, free.slot, c.activated, c.paused, c.disputed,
    c.pending_authorization, c.closed, c.stopped)::list_length)
  into placed
  from unnest(p_changes) c
  left join lateral (
    select l.slot from list_length l where l.instance_id = c.instance_id and l.debtor_id = c.debtor_id
    limit 1 for no key update skip locked
  ) free on true;
  -- A statement of its own: it sees what was committed until the slot was taken.
  update list_length l
    set activated = l.activated + c.activated, paused = l.paused + c.paused, disputed = l.disputed + c.disputed,
      pending_authorization = l.pending_authorization + c.pending_authorization,
      closed = l.closed + c.closed, stopped = l.stopped + c.stopped
    from unnest(placed) c
    where l.instance_id = c.instance_id and l.debtor_id = c.debtor_id and l.slot = c.slot;
  insert into list_length (instance_id, debtor_id, activated, paused, disputed, pending_authorization, closed, stopped)
    select c.instance_id, c.debtor_id, c.activated, c.paused, c.disputed, c.pending_authorization, c.closed, c.stopped
    from unnest(placed) c where c.slot is null;
end $$;
revoke execute on function change_list_lengths(list_length[]) from public;

create function count_new_invoices() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform change_list_lengths(array(
    select row(i.instance_id, i.debtor_id, null,
      count(*) filter (where i.listed = 'ACTIVATED'), count(*) filter (where i.listed = 'PAUSED'),
      count(*) filter (where i.listed = 'DISPUTED'), count(*) filter (where i.listed = 'PENDING_AUTHORIZATION'),
      count(*) filter (where i.listed = 'CLOSED'), count(*) filter (where i.listed = 'STOPPED'))::list_length
    from (select n.instance_id, n.debtor_id, listed_as(n.type, n.status, n.claim_id) as listed from inserted n) i
    where i.listed is not null
    group by i.instance_id, i.debtor_id));
  return null;
end $$;
create trigger invoice_new_is_counted after insert on invoice
  referencing new table as inserted for each statement execute function count_new_invoices();

create function count_moved_invoice() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  was text := coalesce(listed_as(old.type, old.status, old.claim_id), '');
  now_is text := coalesce(listed_as(new.type, new.status, new.claim_id), '');
begin
  perform change_list_lengths(array[row(new.instance_id, new.debtor_id, null,
    (now_is = 'ACTIVATED')::integer - (was = 'ACTIVATED')::integer,
    (now_is = 'PAUSED')::integer - (was = 'PAUSED')::integer,
    (now_is = 'DISPUTED')::integer - (was = 'DISPUTED')::integer,
    (now_is = 'PENDING_AUTHORIZATION')::integer - (was = 'PENDING_AUTHORIZATION')::integer,
    (now_is = 'CLOSED')::integer - (was = 'CLOSED')::integer,
    (now_is = 'STOPPED')::integer - (was = 'STOPPED')::integer)::list_length]);
  return null;
end $$;
create trigger invoice_moved_is_counted after update of status, claim_id on invoice for each row
  when (listed_as(old.type, old.status, old.claim_id) is distinct from listed_as(new.type, new.status, new.claim_id))
  execute function count_moved_invoice();

insert into list_length (instance_id, debtor_id, activated, paused, disputed, pending_authorization, closed, stopped)
  select i.instance_id, i.debtor_id,
    count(*) filter (where i.listed = 'ACTIVATED'), count(*) filter (where i.listed = 'PAUSED'),
    count(*) filter (where i.listed = 'DISPUTED'), count(*) filter (where i.listed = 'PENDING_AUTHORIZATION'),
    count(*) filter (where i.listed = 'CLOSED'), count(*) filter (where i.listed = 'STOPPED')
  from (select n.instance_id, n.debtor_id, listed_as(n.type, n.status, n.claim_id) as listed from invoice n) i
  where i.listed is not null
  group by i.instance_id, i.debtor_id;

create view inv_i20_list_lengths_are_true as
  select coalesce(k.instance_id, c.instance_id) as instance_id, coalesce(k.debtor_id, c.debtor_id) as debtor_id,
    coalesce(k.status, c.status) as status, coalesce(k.number, 0) as kept, coalesce(c.number, 0) as counted
  from (
    select l.instance_id, l.debtor_id, s.status, sum(s.number) as number
    from list_length l cross join lateral (values ('ACTIVATED', l.activated), ('PAUSED', l.paused),
      ('DISPUTED', l.disputed), ('PENDING_AUTHORIZATION', l.pending_authorization), ('CLOSED', l.closed),
      ('STOPPED', l.stopped)) s (status, number)
    group by 1, 2, 3) k
  full join (
    select i.instance_id, i.debtor_id, listed_as(i.type, i.status, i.claim_id) as status, count(*) as number
    from invoice i where listed_as(i.type, i.status, i.claim_id) is not null
    group by 1, 2, 3) c
    on c.instance_id = k.instance_id and c.debtor_id = k.debtor_id and c.status = k.status
  where coalesce(k.number, 0) <> coalesce(c.number, 0);
grant select on inv_i20_list_lengths_are_true to kvitt_app;

-- A list without a filter is read in this order, the newest first.
drop index invoice_debtor;
create index invoice_debtor on invoice (instance_id, debtor_id, created_at, id);
