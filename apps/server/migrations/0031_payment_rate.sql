-- Many payments a second, from the first one on.

-- As learn_table_sizes (0001), for what payments write. Until a table has been measured each payment looks through
-- all the others, and the database itself measures a minute later at the earliest. Again whenever a table has
-- outgrown twice what was measured.
create function learn_payment_sizes() returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  name text;
begin
  for name in select c.relname from pg_class c
    where c.oid in ('public.payment'::regclass, 'public.payment_move'::regclass, 'public.gateway_event'::regclass,
        'public.mail_outbox'::regclass)
      and pg_relation_size(c.oid) > current_setting('block_size')::bigint * (2 * c.relpages + 8)
  loop
    execute format('analyze public.%I', name);
  end loop;
end $$;
revoke execute on function learn_payment_sizes() from public;
grant execute on function learn_payment_sizes() to kvitt_app;

-- The news of one payment that nobody has looked into; all of them used to be read to find it.
drop index gateway_event_waiting;
create index gateway_event_waiting on gateway_event (instance_id, payment_id)
  where applied_at is null and parked_reason is null;

-- Does news of a payment wait? Asked by the statement that writes the gateway's name of it down, and under the lock that
-- this takes. A function sees what was committed before it is called; the statement itself would not.
create function has_waiting_news(p_instance uuid, p_payment uuid) returns boolean
language plpgsql volatile as $$
begin
  return exists (select from gateway_event e where e.instance_id = p_instance and e.payment_id = p_payment
    and e.applied_at is null and e.parked_reason is null);
end $$;
revoke execute on function has_waiting_news(uuid, uuid) from public;
grant execute on function has_waiting_news(uuid, uuid) to kvitt_app;
