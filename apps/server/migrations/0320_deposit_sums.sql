-- What the deposit of a line comes to, as its file told it: fees and deductions taken off. It is known when the line is kept and
-- never changes, so nobody has to add up thirty thousand lines for each of them. Null for camt, where a sum is a line.
alter table bank_line add column deposit_minor bigint;
comment on column bank_line.deposit_minor is 'the sum of the whole deposit that the line is in; null for an entry of camt';
