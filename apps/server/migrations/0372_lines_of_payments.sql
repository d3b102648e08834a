-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- The line that told of a gateway's payment: what goes back may go to the account that it came from.
create index concurrently if not exists bank_line_of_payment on bank_line (instance_id, payment_id) where payment_id is not null;
