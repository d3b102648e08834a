-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- What happened, among many entries: 200 ms at 1,000,000.
create index concurrently if not exists audit_event_by_kind on audit_event (chain, kind, at, seq);
