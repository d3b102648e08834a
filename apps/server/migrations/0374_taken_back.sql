-- outside a transaction: the table may be large, and nobody waits for an index. All of it may run again.

-- Which line a deduction takes back, also when a person has settled it: what is gone is not sent back.
create index concurrently if not exists task_takes_back on task (instance_id, (details ->> 'takesBack')) where details ? 'takesBack';
-- What has gone back to a debtor today is summed for what one person may do alone.
create index concurrently if not exists refund_by_moment on refund (instance_id, created_at);
create index concurrently if not exists money_out_by_day on money_out (instance_id, ordered_on);
