-- The audit log is searched by what happened, by whom and about what, among many: 200 ms at 1,000,000.
-- Actors and things are compared by their bytes: a beginning such as `invoice:0198` is a range of the index then.
create index audit_event_of_time on audit_event (chain, at, seq);
create index audit_event_of_kind on audit_event (chain, kind, at, seq);
create index audit_event_of_actor on audit_event (chain, actor collate "C", at, seq);
create index audit_event_of_about on audit_event (chain, about collate "C", at, seq);
