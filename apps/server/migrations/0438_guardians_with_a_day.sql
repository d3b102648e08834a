-- compatible: yes
-- Who acts for a debtor does so up to a day, which a reader by the product's clock has to know, and while the debtor is a minor or a ward as
-- far as is known (M-37). An older program reads the columns that it knows.
create or replace view acting_guardian as
  select r.instance_id, r.debtor_id, r.id, r.name, r.email, r.phone, r.address, r.address2, r.zip, r.city, r.country, r.until_day
  from representative r
  where r.ended_on is null and r.kind = 'GUARDIAN' and exists (
    select from debtor_flag f where f.instance_id = r.instance_id and f.debtor_id = r.debtor_id and f.ended_on is null
      and f.kind in ('MINOR', 'GUARDIAN'));

-- Of a protected person the creditor's newest word replaces the one before (M-36): where it told at first may be where they fled from.
grant update (name, email, phone, address, address2, zip, city) on debtor_contact to kvitt_app;
