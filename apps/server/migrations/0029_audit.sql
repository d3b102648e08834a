-- What somebody may one day have to answer for: who was let in, who was refused what, which documents were opened.
-- Identifiers and keyed hashes only. Rows are added, never changed, and go after twelve months.

create table audit_event (
  -- The instance, or zeros for what came to none: a call with nobody's secret.
  chain uuid not null,
  seq bigint not null,
  instance_id uuid references instance (id),
  at timestamptz not null default now(),
  kind text not null check (kind ~ '^[a-z_]{3,40}$'),
  -- Who: session:<id>, network:<keyed hash>, gateway:<code>, link.
  actor text not null check (length(actor) <= 100),
  -- What it was about: debtor:<id>, payment:<id>, order:<id>, file:<id>, or the call.
  about text not null check (length(about) <= 200),
  -- The same is written down once an hour, however often somebody tries.
  hour timestamptz not null default date_trunc('hour', now(), 'UTC'),
  -- Each row vouches for the one before it.
  prev_hash bytea not null,
  hash bytea not null,
  primary key (chain, seq),
  unique (chain, kind, actor, about, hour),
  check (chain = coalesce(instance_id, '00000000-0000-0000-0000-000000000000'))
);
create index audit_event_at on audit_event (at);

create function audit_hash(e audit_event) returns bytea language sql immutable as $$
  select sha256(e.prev_hash || convert_to(concat_ws('|', e.chain, e.seq, extract(epoch from e.at), e.kind, e.actor,
    e.about, extract(epoch from e.hour)), 'UTF8'))
$$;

-- The rows of a chain come one after the other, whichever process writes them.
create function chain_audit_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  last audit_event;
begin
  new.chain := coalesce(new.instance_id, '00000000-0000-0000-0000-000000000000');
  perform pg_advisory_xact_lock(hashtextextended('audit:' || new.chain::text, 0));
  select * into last from audit_event a where a.chain = new.chain order by a.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.prev_hash := coalesce(last.hash, '\x00'::bytea);
  new.hash := audit_hash(new);
  return new;
end $$;
create trigger audit_event_chained before insert on audit_event
  for each row execute function chain_audit_event();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '12 months' then return old; end if;
  raise exception 'audit_event is append-only, and kept for twelve months' using errcode = 'KV002';
end $$;
create trigger audit_event_append_only before update or delete on audit_event
  for each row execute function refuse_audit_change();
create trigger audit_event_not_truncated before truncate on audit_event
  for each statement execute function refuse_change();

-- The program owns nothing here: it adds rows, and asks for old ones to go.
create function forget_audit_events() returns bigint
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  gone bigint;
begin
  delete from audit_event where at < now() - interval '12 months';
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke execute on function forget_audit_events() from public;
grant execute on function forget_audit_events() to kvitt_app;
grant select on audit_event to kvitt_app;
grant insert (instance_id, kind, actor, about) on audit_event to kvitt_app;

-- What was changed, taken out, or could be: each row that breaks its chain, and each guard that is missing.
create view inv_i20_audit_events_are_chained as
  select chain, seq, 'the row is not as it was written' as violation
  from audit_event e where e.hash <> audit_hash(e)
  union all
  select chain, seq, 'the row before it is another, or is missing'
  from (
    select chain, seq, prev_hash, lag(hash) over w as hash_before, lag(seq) over w as seq_before
    from audit_event window w as (partition by chain order by seq)) o
  where o.seq_before is not null and (o.prev_hash <> o.hash_before or o.seq <> o.seq_before + 1)
  union all
  select null, null, 'the program may ' || lower(p.name) || ' rows'
  from (values ('UPDATE'), ('DELETE'), ('TRUNCATE')) p (name)
  where has_table_privilege('kvitt_app', 'audit_event', p.name)
  union all
  select null, null, 'the trigger ' || t.name || ' is missing or disabled'
  from (values ('audit_event_chained'), ('audit_event_append_only'), ('audit_event_not_truncated')) t (name)
  where not exists (
    select from pg_trigger g where g.tgrelid = 'audit_event'::regclass and g.tgname = t.name and g.tgenabled in ('O', 'A'));
grant select on inv_i20_audit_events_are_chained to kvitt_app;
