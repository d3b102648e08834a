-- outside a transaction: writes go on while the index is made
-- How a channel does is read off its newest messages, however many another channel has sent since.
create index concurrently if not exists mail_outbox_of_channel on mail_outbox (instance_id, channel, created_at desc);
