-- The list of open invoices leaves out what a claim holds, and so must its index: its length is then counted without
-- looking at one invoice.
drop index invoice_open_by_due_day;
create index invoice_open_by_due_day on invoice (instance_id, debtor_id, expire_date, id)
  where status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and type <> 'CREDIT_INVOICE' and claim_id is null;
