-- What was ordered by hand and then said to be not ordered keeps that, and who said so: it is in a file only when a person names it.
alter table money_out add column said_not_ordered_on date;
alter table money_out add column said_not_ordered_by text;
alter table money_out add constraint money_out_said_not_ordered check (said_not_ordered_by is null or said_not_ordered_on is not null) not valid;
alter table money_out validate constraint money_out_said_not_ordered;
-- What was said before this: who did is in the audit log.
update money_out set said_not_ordered_on = returned_on where by_hand and returned_on is not null and order_id is null;
create index money_out_said_not_ordered on money_out (instance_id, about) where said_not_ordered_on is not null;
grant update (said_not_ordered_on, said_not_ordered_by) on money_out to kvitt_app;
