-- An operator's people look through what was sent, the newest first, and send it again.
create index mail_outbox_listed on mail_outbox (instance_id, created_at, id);
create index mail_outbox_dead on mail_outbox (instance_id, created_at) where status = 'DEAD';
