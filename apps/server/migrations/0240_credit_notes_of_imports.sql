-- The credit notes of a file are counted by themselves: nothing is made of them, they are applied to what is here.
-- `invoice_count` and `made_count` are of invoices from now on, and so are the sums but for {creditNotes, toCreditMinor}.
alter table import add column credit_count integer not null default 0, add column applied_count integer not null default 0;
grant update (credit_count, applied_count) on import to kvitt_app;
with counted as (
  select instance_id, import_id, count(*) as credits, count(*) filter (where invoice_id is not null) as applied
  from import_row where state = 'READY' and total_minor < 0 group by instance_id, import_id)
update import m set credit_count = c.credits, applied_count = c.applied,
  invoice_count = m.invoice_count - c.credits, made_count = m.made_count - c.applied
from counted c where c.instance_id = m.instance_id and c.import_id = m.id;
