-- outside a transaction: an index is built beside the work that goes on
-- Whoever places money looks for the debtor whose name the bank gives.
create index concurrently if not exists debtor_small_name on debtor (instance_id, lower(name));
