-- What a credit note has taken of each row of its invoice, in minor units with tax; null where it names no rows. No row is credited above
-- what is left of it.
alter table credit_note add column credited_rows jsonb;
