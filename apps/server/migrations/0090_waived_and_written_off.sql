-- A person may waive all interest of a debt: the days up to this one are never counted again, whatever becomes of the postings
-- that had counted them.

alter table invoice add column interest_waived_to date;
alter table claim add column interest_waived_to date;
comment on column invoice.interest_waived_to is 'all interest up to and including this day was waived';
comment on column claim.interest_waived_to is 'all interest up to and including this day was waived';
grant update (interest_waived_to) on invoice to kvitt_app;
grant update (interest_waived_to) on claim to kvitt_app;
