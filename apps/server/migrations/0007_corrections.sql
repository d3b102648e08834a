-- What puts an invoice right after the fact: decisions in disputes and about tax reductions, reversals, interest
-- that was paid late. And which ways to pay a creditor, or one of its invoices, takes.

alter table ledger_transaction drop constraint ledger_transaction_kind_check;
alter table ledger_transaction add constraint ledger_transaction_kind_check check (kind in ('INVOICE',
  'CREDIT_INVOICE', 'REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE', 'INTEREST', 'START_FEE', 'ADMIN_FEE', 'COURT_FEE',
  'PAYMENT', 'REFUND', 'WRITE_OFF', 'TRANSFER_TO_CLAIM', 'TRANSFER_TO_PLAN', 'REVERSAL',
  'DENIED_TAX_REDUCTION_NOTIFICATION'));
-- The night asks what was paid in the days before it.
create index ledger_transaction_paid on ledger_transaction (instance_id, booked_on) where kind = 'PAYMENT';

grant update (expire_date) on invoice to kvitt_app;

-- Invoices for interest have numbers of the instance's own; this is the next one.
alter table instance add column interest_invoice_number integer not null default 1000;
grant update (interest_invoice_number) on instance to kvitt_app;

-- Codes of payment methods; null takes all that there are. The invoice's own list wins over its creditor's.
alter table creditor add column payment_methods text[];
alter table invoice add column payment_methods text[];
grant update (payment_methods) on creditor, invoice to kvitt_app;
