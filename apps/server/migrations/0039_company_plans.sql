-- The right to withdraw is a consumer's (directive 2008/48/EC article 14): a company's plan has no last day for it.
alter table part_payment alter column withdraw_until drop not null;
