-- compatible: yes
-- keeps: trigger representatives_erased on debtor, because it empties rows of a table that an older program does not know
-- Who acts for a minor, or for somebody with a guardian (M-37): entered by the operator's people from the proof that they have seen, until a
-- day or until it is over. An older program takes none, and sends to the debtor what this one sends to the guardian.
create table representative (
  instance_id uuid not null references instance (id),
  id uuid not null,
  debtor_id uuid not null,
  kind text not null check (kind in ('GUARDIAN')),
  name text not null,
  email text,
  phone text,
  address text not null,
  address2 text,
  zip text not null,
  city text not null,
  country char(2) not null,
  source text not null,
  -- The last day on which they act; null: until it is over.
  until_day date,
  entered_by text not null,
  entered_on date not null,
  ended_on date,
  ended_by text,
  end_reason text,
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  check ((ended_on is null) = (ended_by is null))
);
-- A person has one guardian who gets the letters.
create unique index representative_guardian on representative (instance_id, debtor_id) where ended_on is null and kind = 'GUARDIAN';
create index representative_of_debtor on representative (instance_id, debtor_id);
create index representative_until on representative (instance_id, until_day) where ended_on is null and until_day is not null;

create view acting_guardian as
  select instance_id, debtor_id, id, name, email, phone, address, address2, zip, city, country from representative
  where ended_on is null and kind = 'GUARDIAN';

grant select, insert on representative to kvitt_app;
grant update (ended_on, ended_by, end_reason) on representative to kvitt_app;
grant select on acting_guardian to kvitt_app;

-- Nobody who may not act for themselves is dunned without somebody who does.
create view inv_i40_wards_are_represented as
  select f.instance_id, f.id as flag_id, f.debtor_id, 'goes on without a guardian' as violation from debtor_flag f
  where f.kind in ('MINOR', 'GUARDIAN') and f.ended_on is null and f.answer = 'GO_ON'
    and not exists (select from acting_guardian g where g.instance_id = f.instance_id and g.debtor_id = f.debtor_id);
grant select on inv_i40_wards_are_represented to kvitt_app;

-- When a person is erased, so is who acted for them.
create function erase_representatives() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update representative set name = '[erased]', email = null, phone = null, address = '[erased]', address2 = null, zip = '', city = '[erased]',
      source = '[erased]', end_reason = case when end_reason is null then null else '[erased]' end
    where instance_id = new.instance_id and debtor_id = new.id;
  return null;
end $$;
create trigger representatives_erased after update of identity on debtor for each row
  when (new.identity = 'erased ' || new.id) execute function erase_representatives();
