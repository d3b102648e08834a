-- The day on which an invoice first fell due, where staff have given it a later one since. Laws of 2013 raised the late interest of
-- what fell due from then on, and a later day to pay makes no younger debt.
alter table invoice add column first_expire_date date;
grant update (first_expire_date) on invoice to kvitt_app;
