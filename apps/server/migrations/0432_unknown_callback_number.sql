-- compatible: yes
-- Callbacks that nobody knows are numbered as they are kept: of too many the oldest go, and nobody counts them. The table has 10,000 rows at
-- most. An older program leaves the number out.
alter table unknown_callback add column number bigint generated always as identity;
create unique index unknown_callback_number on unknown_callback (number);
