-- compatible: yes
-- A table is measured when it has outgrown twice what was measured, whoever asks: as learn_payment_sizes (0031) does. Until now each
-- import, hand-over and billing measured up to nine tables again while they held some hundred rows, and every plan that a
-- connection had kept was made anew after it: most of what a small provider's night cost.
create function measure_grown(names text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  name text;
begin
  for name in select c.relname from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relname = any (names)
      and pg_relation_size(c.oid) > current_setting('block_size')::bigint * (2 * c.relpages + 8)
  loop
    execute format('analyze public.%I', name);
  end loop;
end $$;
revoke execute on function measure_grown(text[]) from public;

create or replace function learn_table_sizes() returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select public.measure_grown('{creditor,payment_account,debtor,payment_reference,invoice,collection_step,ledger_account,ledger_transaction,posting}')
$$;
create or replace function learn_claim_sizes() returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select public.measure_grown('{claim}')
$$;
create or replace function learn_plan_sizes() returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select public.measure_grown('{part_payment,part_payment_member,part_payment_instalment,collection_step}')
$$;
create or replace function learn_payment_sizes() returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select public.measure_grown('{payment,payment_move,gateway_event,mail_outbox}')
$$;
