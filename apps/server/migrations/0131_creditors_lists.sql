-- outside a transaction: an index is built beside the work that goes on
-- A creditor's own lists begin at it, the newest first.
create index concurrently if not exists invoice_creditor on invoice (instance_id, creditor_id, created_at, id);
create index concurrently if not exists claim_creditor on claim (instance_id, creditor_id, created_at, id);
