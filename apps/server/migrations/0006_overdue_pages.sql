-- The night walks through what is overdue page by page, in this order.
create index invoice_overdue_pages on invoice (instance_id, expire_date, id) where status = 'ACTIVATED';
drop index invoice_overdue;
