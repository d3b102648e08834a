-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- What a gateway told of a payment, when its time is over or its debtor asks.
create index concurrently if not exists gateway_event_of_payment on gateway_event (payment_id) where payment_id is not null;
