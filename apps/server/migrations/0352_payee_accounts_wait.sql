-- Whoever could write to the table could have an account shown at once: the day is the database's rule, too.
alter table payee_account add constraint payee_account_waits_a_day check (usable_from >= agreed_at + interval '24 hours');
