-- Value added tax as the creditor's file breaks it down: [{percent, baseMinor, taxMinor}], for the copy and the receipt.
-- Empty: the file has none, or it was taken in before.

alter table invoice add column taxes jsonb not null default '[]' check (jsonb_typeof(taxes) = 'array');
