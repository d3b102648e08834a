-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- Who was charged by a figure is looked up when another is to take its place: few entries of the ledger count interest.
create index concurrently if not exists ledger_transaction_interest on ledger_transaction (instance_id, booked_on) where periods is not null;
