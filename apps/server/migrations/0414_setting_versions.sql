-- What is offered is changed by two people: a version is what one proposed and another agreed to. Of two for the same day the later one counts, so that one
-- that has not begun can be mended.
alter table part_payment_setting
  -- Null for what was there before, and for what a debtor's own plan was agreed on.
  add column proposal_id uuid,
  add column position bigint generated always as identity,
  -- Was there when this began: nobody agreed to it here.
  add column is_from_before boolean not null default false,
  add foreign key (instance_id, proposal_id) references proposal (instance_id, id),
  add check (proposal_id is null or conversation_id is null);
update part_payment_setting set is_from_before = true where conversation_id is null;
create unique index part_payment_setting_proposed on part_payment_setting (instance_id, proposal_id) where proposal_id is not null;
drop index part_payment_setting_once;
create index part_payment_setting_in_order on part_payment_setting (instance_id, code, creditor_id, valid_from, position)
  where conversation_id is null;
