-- A first large night of billing fills empty tables: as learn_table_sizes (0001), for plans.
create function learn_plan_sizes() returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if exists (select from pg_class where oid = 'public.part_payment_instalment'::regclass and reltuples < 3000) then
    analyze part_payment, part_payment_member, part_payment_instalment, collection_step;
  end if;
end $$;
revoke execute on function learn_plan_sizes() from public;
grant execute on function learn_plan_sizes() to kvitt_app;
