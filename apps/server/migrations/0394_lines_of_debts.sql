-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- The lines of banks on somebody's debts.
create index concurrently if not exists bank_line_of_invoice on bank_line (instance_id, invoice_id) where invoice_id is not null;
create index concurrently if not exists bank_line_of_claim on bank_line (instance_id, claim_id) where claim_id is not null;
