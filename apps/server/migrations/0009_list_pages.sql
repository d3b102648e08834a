-- A page of a debtor's list, in the order in which it is asked for most, without looking at the rest of the list.
create index invoice_open_by_due_day on invoice (instance_id, debtor_id, expire_date, id)
  where status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and type <> 'CREDIT_INVOICE';
create index invoice_closed_by_age on invoice (instance_id, debtor_id, created_at, id)
  where status in ('CLOSED', 'STOPPED') and type <> 'CREDIT_INVOICE';
