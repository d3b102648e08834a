-- What a refusal may cost whom (D-40). A reference's own budget never shuts anybody out for longer than a day: after its
-- failures of 30 days are used up, one more a day is answered. The other budgets are shared with people who did nothing; a
-- solved challenge (sign-in/challenges.ts) takes the place of a wait there.
--
-- Two scopes more for the budgets of guesses: `site`, the /48 around an IPv6 network, and two kinds of rows that count
-- nothing: `pass`, a right pair that the instance's budget has counted in this window, and `challenge`, one that is spent.

alter table guess_budget drop constraint guess_budget_scope_check;
alter table guess_budget add constraint guess_budget_scope_check check (scope in
  ('reference-day', 'reference-month', 'zip', 'network', 'instance', 'site', 'pass', 'challenge'));

-- p_keys and p_limits hold, in this order, reference-day, reference-month, zip, network, instance, site and pass, for which
-- there is no limit. A process of the version before sends the first five: a guess has as many keys as there are limits.

-- Stands in line. Answers how long to wait when a budget is used up, whether right guesses are counted now (from half of the
-- instance's limit on), and whose budget it is: 'reference', which nothing lifts, or another.
drop function open_guess(uuid, bytea[], integer[], timestamptz);
create function open_guess(
  p_instance uuid, p_keys bytea[], p_limits integer[], p_now timestamptz,
  out wait_seconds integer, out is_watched boolean, out budget text
) language plpgsql volatile as $$
begin
  if p_limits[1] is not null or p_limits[2] is not null then
    perform pg_advisory_xact_lock(('x' || encode(substring(p_keys[1] from 1 for 8), 'hex'))::bit(64)::bigint);
  end if;
  with touched as (
    select b.scope, b.fails, b.passes, b.expires_at, p_limits[array_position(p_keys, b.key)] as most
    from guess_budget b where b.instance_id = p_instance and b.key = any (p_keys) and b.expires_at > p_now
  ), month as (
    -- The failures of 30 days are used up: one a day is answered, and the wait is the day's.
    select case when bool_or(t.fails >= t.most) then 1 end as a_day from touched t where t.scope = 'reference-month'
  ), judged as (
    select t.*, case t.scope when 'reference-day' then t.fails >= least(t.most, m.a_day)
        when 'reference-month' then false
        -- The instance's budget needs a share of failures above one fifth besides.
        when 'instance' then t.fails >= t.most and t.fails * 4 > t.passes
        else t.fails >= t.most end as is_used_up
    from touched t cross join month m
  )
  select ceil(extract(epoch from max(j.expires_at) filter (where j.is_used_up) - p_now)),
    coalesce(bool_or(j.scope = 'instance' and j.fails * 2 >= j.most), false),
    (array_agg(split_part(j.scope, '-', 1) order by j.scope = 'reference-day' desc) filter (where j.is_used_up))[1]
  into wait_seconds, is_watched, budget
  from judged j;
end $$;

create or replace function open_guesses(
  p_instance uuid, p_keys bytea[], p_limits integer[], p_now timestamptz
) returns table (n integer, is_plain boolean) language plpgsql volatile rows 20 as $$
declare
  width constant integer := cardinality(p_limits);
  most constant integer := cardinality(p_keys) / width;
  free integer[];
  used_up bytea[];
begin
  select array_agg(l.n) into free
  from (select distinct on (p_keys[(g.n - 1) * width + 1]) g.n from generate_series(1, most) g (n)
        order by p_keys[(g.n - 1) * width + 1], g.n) l
  where (p_limits[1] is null and p_limits[2] is null) or pg_try_advisory_xact_lock(
    ('x' || encode(substring(p_keys[(l.n - 1) * width + 1] from 1 for 8), 'hex'))::bit(64)::bigint);
  -- From half of the instance's limit on, right guesses are counted, which open_guess does; what is left to a reference whose
  -- 30 days are used up is its business as well.
  select array_agg(b.key) into used_up
  from guess_budget b
  where b.instance_id = p_instance and b.key = any (p_keys) and b.expires_at > p_now
    and case b.scope when 'reference-day' then b.fails >= p_limits[1] when 'reference-month' then b.fails >= p_limits[2]
      when 'zip' then b.fails >= p_limits[3] when 'network' then b.fails >= p_limits[4]
      when 'instance' then b.fails * 2 >= p_limits[5] when 'site' then b.fails >= p_limits[6] else false end;
  return query select g.n, coalesce(g.n = any (free), false)
      and (used_up is null or not p_keys[(g.n - 1) * width + 1 : g.n * width] && used_up)
    from generate_series(1, most) g (n);
end $$;

create or replace function close_guesses(
  p_instance uuid, p_references text[], p_zips text[], p_keys bytea[], p_limits integer[], p_now timestamptz,
  p_wrong integer[]
) returns table (n integer, wait_seconds integer) language plpgsql volatile rows 5 as $$
#variable_conflict use_column
declare
  scopes constant text[] := array['reference-day', 'reference-month', 'zip', 'network', 'instance', 'site'];
  lengths constant interval[] := array['1 day', '30 days', '1 hour', '1 hour', '10 minutes', '1 hour'];
  width constant integer := cardinality(p_limits);
begin
  if p_wrong is null then return; end if;
  perform set_config('synchronous_commit', 'off', true);
  return query
  -- A right pair at another door than its own, or with a number that it does not have, weighs nothing: whoever has it is let in
  -- elsewhere. One whose invoice is not shown weighs what a wrong one does, or the wait would tell which it is. All cost the
  -- same work, so that time tells nothing.
  with guess as (
    select w.n, (select case when count(*) = 0 then 1 else 0 end from (
      select from invoice i
      where i.instance_id = p_instance and i.payment_reference = p_references[w.n] and i.zip = p_zips[w.n]
        and i.status not in ('CREATED', 'PENDING', 'ARCHIVED') and i.total_minor >= 0
      union all
      select from claim c
      where c.instance_id = p_instance and c.payment_reference = p_references[w.n] and c.zip = p_zips[w.n]) held)::integer as weight
    from unnest(p_wrong) w (n)
  ), touched as (
    select g.n, s.s, p_keys[(g.n - 1) * width + s.s] as key, g.weight
    from guess g cross join generate_series(1, least(width, 6)) s (s)
    -- The day's failures are counted for the month as well: see open_guess.
    where p_limits[s.s] is not null or (s.s = 1 and p_limits[2] is not null)
  ), counted as (
    insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
    select p_instance, t.key, scopes[t.s], p_now + lengths[t.s], sum(t.weight)
    from touched t group by t.key, t.s order by t.key
    on conflict (instance_id, key) do update set
      fails = case when b.expires_at > p_now then b.fails else 0 end + excluded.fails,
      passes = case when b.expires_at > p_now then b.passes else 0 end,
      -- Whoever goes on guessing once a month's failures are used up does not get another month's with its end.
      expires_at = case when b.expires_at <= p_now then excluded.expires_at
        when b.scope = 'reference-month' and b.fails >= p_limits[2] and excluded.fails > 0 then excluded.expires_at
        else b.expires_at end
    returning b.key, b.scope, b.fails, b.expires_at
  )
  select t.n, ceil(extract(epoch from max(c.expires_at) filter (
      where c.scope not in ('instance', 'reference-month') and c.fails > p_limits[t.s]) - p_now))::integer
  from touched t join counted c on c.key = t.key group by t.n;
end $$;

-- A right pair counts once in a window of the instance's budget, however often it is shown: a stranger with one letter of
-- their own must not outweigh all their wrong guesses with it.
create or replace function close_guess(
  p_instance uuid, p_reference text, p_zip text, p_keys bytea[], p_limits integer[], p_now timestamptz,
  p_is_right boolean
) returns integer language plpgsql volatile as $$
begin
  if not p_is_right then
    return (select c.wait_seconds
      from close_guesses(p_instance, array[p_reference], array[p_zip], p_keys, p_limits, p_now, array[1]) c);
  end if;
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(p_keys) >= 7 then
    insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
    select p_instance, p_keys[7], 'pass', i.expires_at, 0 from guess_budget i
    where i.instance_id = p_instance and i.key = p_keys[5] and i.expires_at > p_now
    on conflict (instance_id, key) do update set expires_at = excluded.expires_at where b.expires_at <= p_now;
    if not found then return null; end if;
  end if;
  update guess_budget set passes = passes + 1 where instance_id = p_instance and key = p_keys[5];
  return null;
end $$;

revoke execute on function open_guess(uuid, bytea[], integer[], timestamptz) from public;
grant execute on function open_guess(uuid, bytea[], integer[], timestamptz) to kvitt_app;
