-- Many guesses as one statement: the hottest call is read for whoever asks at the same moment at once. What holds
-- for one guess (0002) holds for each of them.
--
-- p_keys holds five keys a guess, one guess after the other.

-- Which guesses are plain: their reference's line is free and no budget of theirs is used up. A plain guess has its
-- line until the transaction ends. The others, and the second at one reference, go one by one through open_guess,
-- which waits. Taking lines without waiting, no two statements can wait for each other.
create function open_guesses(
  p_instance uuid, p_keys bytea[], p_limits integer[], p_now timestamptz
) returns table (n integer, is_plain boolean) language plpgsql volatile rows 20 as $$
declare
  most constant integer := cardinality(p_keys) / 5;
  free integer[];
  used_up bytea[];
begin
  select array_agg(l.n) into free
  from (select distinct on (p_keys[g.n * 5 - 4]) g.n from generate_series(1, most) g (n)
        order by p_keys[g.n * 5 - 4], g.n) l
  where (p_limits[1] is null and p_limits[2] is null) or pg_try_advisory_xact_lock(
    ('x' || encode(substring(p_keys[l.n * 5 - 4] from 1 for 8), 'hex'))::bit(64)::bigint);
  -- From half of the instance's limit on, right guesses are counted, which open_guess does.
  select array_agg(b.key) into used_up
  from guess_budget b
  where b.instance_id = p_instance and b.key = any (p_keys) and b.expires_at > p_now
    and case b.scope when 'reference-day' then b.fails >= p_limits[1] when 'reference-month' then b.fails >= p_limits[2]
      when 'zip' then b.fails >= p_limits[3] when 'network' then b.fails >= p_limits[4]
      else b.fails * 2 >= p_limits[5] end;
  return query select g.n, coalesce(g.n = any (free), false) and (used_up is null or not p_keys[g.n * 5 - 4 : g.n * 5] && used_up)
    from generate_series(1, most) g (n);
end $$;

-- Counts the guesses p_wrong, which are numbers into the other arrays. Answers how long to wait for each that has
-- been answered along with others which have used up a budget meanwhile. Rows are taken in the order of their
-- keys, here and everywhere, so that no two statements wait for each other.
create function close_guesses(
  p_instance uuid, p_references text[], p_zips text[], p_keys bytea[], p_limits integer[], p_now timestamptz,
  p_wrong integer[]
) returns table (n integer, wait_seconds integer) language plpgsql volatile rows 5 as $$
#variable_conflict use_column
declare
  scopes constant text[] := array['reference-day', 'reference-month', 'zip', 'network', 'instance'];
  lengths constant interval[] := array['1 day', '30 days', '1 hour', '1 hour', '10 minutes'];
begin
  if p_wrong is null then return; end if;
  perform set_config('synchronous_commit', 'off', true);
  return query
  -- A right pair whose invoice is not shown weighs nothing and costs the same work, so that time tells nothing.
  with guess as (
    select w.n, (select case when count(*) = 0 then 1 else 0 end from invoice i
      where i.instance_id = p_instance and i.payment_reference = p_references[w.n] and i.zip = p_zips[w.n])::integer as weight
    from unnest(p_wrong) w (n)
  ), touched as (
    select g.n, s.s, p_keys[g.n * 5 - 5 + s.s] as key, g.weight
    from guess g cross join generate_series(1, 5) s (s) where p_limits[s.s] is not null
  ), counted as (
    insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
    select p_instance, t.key, scopes[t.s], p_now + lengths[t.s], sum(t.weight)
    from touched t group by t.key, t.s order by t.key
    on conflict (instance_id, key) do update set
      fails = case when b.expires_at > p_now then b.fails else 0 end + excluded.fails,
      passes = case when b.expires_at > p_now then b.passes else 0 end,
      expires_at = case when b.expires_at > p_now then b.expires_at else excluded.expires_at end
    returning b.key, b.scope, b.fails, b.expires_at
  )
  select t.n, ceil(extract(epoch from max(c.expires_at) filter (
      where c.scope <> 'instance' and c.fails > p_limits[t.s]) - p_now))::integer
  from touched t join counted c on c.key = t.key group by t.n;
end $$;

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
  update guess_budget set passes = passes + 1 where instance_id = p_instance and key = p_keys[5];
  return null;
end $$;

revoke execute on function open_guesses(uuid, bytea[], integer[], timestamptz) from public;
revoke execute on function close_guesses(uuid, text[], text[], bytea[], integer[], timestamptz, integer[]) from public;
grant execute on function open_guesses(uuid, bytea[], integer[], timestamptz) to kvitt_app;
grant execute on function close_guesses(uuid, text[], text[], bytea[], integer[], timestamptz, integer[]) to kvitt_app;
