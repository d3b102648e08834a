-- outside a transaction: an index is built beside the work that goes on
-- A number is one document's, but for drafts that an import had made and that were taken back.
create unique index concurrently if not exists invoice_number_once on invoice (instance_id, creditor_id, type, invoice_number)
  where not is_undone;
