-- A debtor with a number is one row for all creditors of an instance. How a creditor reaches them is that creditor's own: what one
-- enters is neither shown to the others nor where the others' letters go (staff.md 1).
create table debtor_contact (
  instance_id uuid not null,
  creditor_id uuid not null,
  debtor_id uuid not null,
  name text not null,
  email text,
  phone text,
  address text,
  address2 text,
  zip text not null,
  city text,
  created_at timestamptz not null default now(),
  primary key (instance_id, creditor_id, debtor_id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id)
);
grant select, insert on debtor_contact to kvitt_app;

-- Until now all creditors of a debtor had what the first had entered.
insert into debtor_contact (instance_id, creditor_id, debtor_id, name, email, phone, address, address2, zip, city)
select distinct i.instance_id, i.creditor_id, d.id, d.name, d.email, d.phone, d.address, d.address2, d.zip, d.city
from invoice i join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id;
