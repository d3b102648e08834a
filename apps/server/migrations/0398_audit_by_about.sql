-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- About what. Compared by its bytes: what begins with `invoice:0198…` is a range of the index.
create index concurrently if not exists audit_event_by_about on audit_event (chain, about collate "C", at, seq);
