-- Guess budgets: how often a pair of reference and zip may be tried in vain, for every process together (D-06).

-- What differs from the limits of the program (instances/guess-limits.ts); null turns a budget off.
alter table instance add column guess_limits jsonb not null default '{}'
  check (jsonb_typeof(guess_limits) = 'object');

-- In the demo everybody comes from one address.
update instance set guess_limits = '{"networkPerHour": null, "instancePerTenMinutes": null}'
  where exists (select from demo_cast);

-- One row for each budget that a failed guess has touched. The key is a keyed hash: nobody reads a reference, a
-- zip or an address out of it.
create table guess_budget (
  instance_id uuid not null references instance (id),
  key bytea not null check (octet_length(key) = 16),
  scope text not null check (scope in ('reference-day', 'reference-month', 'zip', 'network', 'instance')),
  -- The window begins with its first failed guess and is as long as its scope says.
  expires_at timestamptz not null,
  fails integer not null check (fails >= 0),
  -- Right guesses, counted for the instance alone and only from half of its limit on.
  passes integer not null default 0 check (passes >= 0),
  primary key (instance_id, key)
);
create index guess_budget_expires on guess_budget (expires_at);

-- A guess is one statement that opens it, looks for the pair, and closes it when there is something to count
-- (sign-in/guesses.queries.ts). p_keys and p_limits hold, in this order, reference-day, reference-month, zip,
-- network and instance; a limit that is null is off.
--
-- Guesses at one reference stand in line, from before the comparison until the count is committed: however many
-- come at once and through however many processes, no more than the limit are ever answered. The statements in
-- these functions each see what was committed before them, which a part of the outer statement would not.
-- Budgets of many references are taken without a line: guesses that are under way together may all be compared.

-- Stands in line. Answers how long to wait when a budget is used up, and whether right guesses are counted now:
-- from half of the instance's limit on.
create function open_guess(
  p_instance uuid, p_keys bytea[], p_limits integer[], p_now timestamptz,
  out wait_seconds integer, out is_watched boolean
) language plpgsql volatile as $$
begin
  if p_limits[1] is not null or p_limits[2] is not null then
    perform pg_advisory_xact_lock(('x' || encode(substring(p_keys[1] from 1 for 8), 'hex'))::bit(64)::bigint);
  end if;
  -- The instance's budget needs a share of failures above one fifth besides.
  select ceil(extract(epoch from max(b.expires_at) filter (
      where b.fails >= l.most and (b.scope <> 'instance' or b.fails * 4 > b.passes)) - p_now)),
    coalesce(bool_or(b.scope = 'instance' and b.fails * 2 >= l.most), false)
  into wait_seconds, is_watched
  from guess_budget b cross join lateral (select p_limits[array_position(p_keys, b.key)] as most) l
  where b.instance_id = p_instance and b.key = any (p_keys) and b.expires_at > p_now;
end $$;

-- Counts the guess. Answers how long to wait when others that were under way with it have used up a budget, and
-- null otherwise. A count that a crash of the database may take back is not worth a wait for the disk.
create function close_guess(
  p_instance uuid, p_reference text, p_zip text, p_keys bytea[], p_limits integer[], p_now timestamptz,
  p_is_right boolean
) returns integer language plpgsql volatile as $$
declare
  scopes constant text[] := array['reference-day', 'reference-month', 'zip', 'network', 'instance'];
  lengths constant interval[] := array['1 day', '30 days', '1 hour', '1 hour', '10 minutes'];
  weight integer;
  blocked_until timestamptz;
begin
  perform set_config('synchronous_commit', 'off', true);
  if p_is_right then
    update guess_budget set passes = passes + 1 where instance_id = p_instance and key = p_keys[5];
    return null;
  end if;
  -- A right pair whose invoice is not shown weighs nothing and costs the same work, so that time tells nothing.
  select case when count(*) = 0 then 1 else 0 end into weight
  from invoice i where i.instance_id = p_instance and i.payment_reference = p_reference and i.zip = p_zip;
  with counted as (
    insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
    select p_instance, p_keys[n], scopes[n], p_now + lengths[n], weight
    from generate_series(1, 5) n where p_limits[n] is not null order by n
    on conflict (instance_id, key) do update set
      fails = case when b.expires_at > p_now then b.fails else 0 end + weight,
      passes = case when b.expires_at > p_now then b.passes else 0 end,
      expires_at = case when b.expires_at > p_now then b.expires_at else excluded.expires_at end
    returning b.scope, b.fails, b.expires_at
  )
  select max(c.expires_at) filter (where c.scope <> 'instance' and c.fails > p_limits[array_position(scopes, c.scope)])
  into blocked_until from counted c;
  return ceil(extract(epoch from blocked_until - p_now));
end $$;

grant select, insert, update, delete on guess_budget to kvitt_app;
revoke execute on function open_guess(uuid, bytea[], integer[], timestamptz) from public;
revoke execute on function close_guess(uuid, text, text, bytea[], integer[], timestamptz, boolean) from public;
grant execute on function open_guess(uuid, bytea[], integer[], timestamptz) to kvitt_app;
grant execute on function close_guess(uuid, text, text, bytea[], integer[], timestamptz, boolean) to kvitt_app;
