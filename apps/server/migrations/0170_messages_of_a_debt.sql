-- Staff look at what was told about an invoice or a claim.
create index mail_outbox_of_debt on mail_outbox (instance_id, (coalesce(claim_id, invoice_id)), created_at);
