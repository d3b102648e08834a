-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- The row of a file that an invoice came from.
create index concurrently if not exists import_row_made on import_row (instance_id, invoice_id) where invoice_id is not null;
