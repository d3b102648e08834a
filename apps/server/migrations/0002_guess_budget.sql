-- Guess budgets: how often a pair of reference and zip may be tried in vain, for every process together (D-06).

-- What differs from the limits of the program (sign-in/limits.ts); null turns a budget off.
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

-- Takes one guess: p_keys and p_limits are in the order of `scopes`, a limit that is null is off, and an empty
-- reference is one that nobody can have. Answers
--   right      the pair belongs to an invoice that may be seen,
--   wrong      it does not; counted, unless the pair itself was right,
--   throttled  a budget is used up; nothing was compared, or the answer is not told.
--
-- Guesses at one reference stand in line, from before the comparison until the count is committed: however many
-- come at once and through however many processes, no more than the limit are ever answered. The statements
-- below each see what was committed before them, which is why this is a function and not one statement.
-- Budgets of many references are taken without a line: guesses that are under way together may all be compared.
create function take_guess(
  p_instance uuid, p_reference text, p_zip text, p_keys bytea[], p_limits integer[], p_now timestamptz,
  out verdict text, out wait_seconds integer
) language plpgsql volatile as $$
declare
  scopes constant text[] := array['reference-day', 'reference-month', 'zip', 'network', 'instance'];
  lengths constant interval[] := array['1 day', '30 days', '1 hour', '1 hour', '10 minutes'];
  blocked_until timestamptz;
  is_watched boolean;
  is_shown boolean;
  weight integer;
begin
  if p_reference <> '' then
    perform pg_advisory_xact_lock(('x' || encode(substring(p_keys[1] from 1 for 8), 'hex'))::bit(64)::bigint);
  end if;

  -- The instance's budget needs a share of failures above one fifth besides.
  select max(b.expires_at) filter (where b.fails >= l.most and (b.scope <> 'instance' or b.fails * 4 > b.passes)),
    bool_or(b.scope = 'instance' and b.fails * 2 >= l.most)
  into blocked_until, is_watched
  from guess_budget b cross join lateral (select p_limits[array_position(scopes, b.scope)] as most) l
  where b.instance_id = p_instance and b.key = any (p_keys) and b.expires_at > p_now;

  if blocked_until is null then
    -- Null: no invoice has this pair. False: it has, and is in a state that is not shown.
    select bool_or(i.status not in ('CREATED', 'PENDING', 'ARCHIVED') and i.total_minor >= 0) into is_shown
    from invoice i where i.instance_id = p_instance and i.payment_reference = p_reference and i.zip = p_zip;

    -- A count that a crash of the database may take back is not worth a wait for the disk.
    if is_shown then
      verdict := 'right';
      if is_watched then
        perform set_config('synchronous_commit', 'off', true);
        update guess_budget set passes = passes + 1 where instance_id = p_instance and key = p_keys[5];
      end if;
      return;
    end if;

    -- A hidden invoice weighs nothing and costs the same work, so that time tells nothing.
    weight := case when is_shown is null then 1 else 0 end;
    perform set_config('synchronous_commit', 'off', true);
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
  end if;

  verdict := case when blocked_until is null then 'wrong' else 'throttled' end;
  wait_seconds := greatest(1, ceil(extract(epoch from blocked_until - p_now)));
end $$;

grant select, insert, update, delete on guess_budget to kvitt_app;
revoke execute on function take_guess(uuid, text, text, bytea[], integer[], timestamptz) from public;
grant execute on function take_guess(uuid, text, text, bytea[], integer[], timestamptz) to kvitt_app;
