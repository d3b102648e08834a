-- compatible: yes
-- Who a message went to in a debtor's place (M-37). An older program leaves it out: it writes to debtors alone.
alter table mail_outbox add column representative_id uuid;
grant update (representative_id) on mail_outbox to kvitt_app;
