-- The name under which a right pair is counted is made here, where few guesses come: a keyed hash more for every guess costs the
-- hottest call some microseconds. p_keys and p_limits end with the site now; what they are made from is keyed.
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
  insert into guess_budget as b (instance_id, key, scope, expires_at, fails)
  select p_instance, substring(sha256(p_keys[1] || p_keys[3]) from 1 for 16), 'pass', i.expires_at, 0 from guess_budget i
  where i.instance_id = p_instance and i.key = p_keys[5] and i.expires_at > p_now
  on conflict (instance_id, key) do update set expires_at = excluded.expires_at where b.expires_at <= p_now;
  if not found then return null; end if;
  update guess_budget set passes = passes + 1 where instance_id = p_instance and key = p_keys[5];
  return null;
end $$;
