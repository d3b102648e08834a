-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- By whom. Compared by its bytes: what begins with `person:0198…` is a range of the index.
create index concurrently if not exists audit_event_by_actor on audit_event (chain, actor collate "C", at, seq);
