-- A person may waive all interest of a debt: the days up to this one are never counted again, whatever becomes of the postings
-- that had counted them.

alter table invoice add column interest_waived_to date;
alter table claim add column interest_waived_to date;
comment on column invoice.interest_waived_to is 'all interest up to and including this day was waived';
comment on column claim.interest_waived_to is 'all interest up to and including this day was waived';
grant update (interest_waived_to) on invoice to kvitt_app;
grant update (interest_waived_to) on claim to kvitt_app;

-- A person has taken a payment back that its gateway had told of: its money did not come, and no line of a bank's file is it.
alter table payment add column reversed_on date;
comment on column payment.reversed_on is 'a person has taken it back on this day: its money did not come';
grant update (reversed_on) on payment to kvitt_app;
