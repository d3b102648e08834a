-- A task that ended because its cause was gone opens again when the cause is back; what a person decided stands.

alter table task add opened_at timestamptz not null default statement_timestamp();
alter table task add done_by text check (length(done_by) <= 100);
alter table task alter met_at set default statement_timestamp();
update task set opened_at = created_at;

grant update (opened_at, done_by) on task to kvitt_app;

-- A dispute is a task of the creditor from the day it is made.
insert into task (instance_id, id, kind, about, details, made_on)
select instance_id, gen_random_uuid(), 'dispute_to_answer', 'dispute:' || id,
  jsonb_strip_nulls(jsonb_build_object('invoiceId', invoice_id, 'claimId', claim_id)), opened_on
from dispute where status = 'OPEN'
on conflict (instance_id, kind, about) do nothing;

-- A deed of a person is a row of its own, however many they do in an hour, with why, and what it was before and after.
alter table audit_event
  add is_deed boolean not null default false,
  add reason text check (length(reason) <= 500),
  add before jsonb,
  add after jsonb,
  add check (is_deed or (reason is null and before is null and after is null));

-- What is null is left out: rows from before keep their hash.
create or replace function audit_hash(e audit_event) returns bytea language sql immutable as $$
  select sha256(e.prev_hash || convert_to(concat_ws('|', e.chain, e.seq, extract(epoch from e.at), e.kind, e.actor,
    e.about, extract(epoch from e.hour), case when e.is_deed then 'deed' end, e.reason, e.before, e.after), 'UTF8'))
$$;

alter table audit_event drop constraint audit_event_chain_kind_actor_about_hour_key;
create unique index audit_event_once_an_hour on audit_event (chain, kind, actor, about, hour) where not is_deed;

grant insert (is_deed, reason, before, after) on audit_event to kvitt_app;
