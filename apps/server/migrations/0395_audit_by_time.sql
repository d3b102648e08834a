-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- The log of an instance, the newest first.
create index concurrently if not exists audit_event_by_time on audit_event (chain, at, seq);
