-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- Whether anything is owed back to a debtor.
create index concurrently if not exists ledger_account_debtor on ledger_account (instance_id, debtor_id) where debtor_id is not null;
