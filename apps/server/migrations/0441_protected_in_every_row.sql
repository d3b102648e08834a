-- compatible: yes
-- A person is kept in a row for each way in which their number is written: twelve Swedish digits or ten, and twelve under each country where they
-- live. A protected identity is the person's, and holds for each of these rows, also one that is imported later (M-36).

-- The identities under which the same number is kept otherwise, where there are such; each is among those of each other.
create function other_identities(identity text) returns text[] language sql immutable parallel safe as $$
  select case
    when identity ~ '^(SE|NO|DK|FI|EU):(18|19|20)[0-9]{10}$' then
      array(select c || substr(identity, 3) from unnest(array['SE', 'NO', 'DK', 'FI', 'EU']) c) || ('SE:' || substr(identity, 6))
    when identity ~ '^SE:[0-9]{10}$' then
      array(select c || ':' || century || substr(identity, 4)
        from unnest(array['SE', 'NO', 'DK', 'FI', 'EU']) c, unnest(array['18', '19', '20']) century)
    else '{}' end
$$;

-- Ten digits fit people born a century apart: who turns a hundred this year, or has done so, is written with a plus sign (SFS 1991:481 § 18).
create function is_same_born(an_identity text, a_number text, other_identity text, other_number text) returns boolean
  language sql stable parallel safe as $$
  select case
    when length(an_identity) = length(other_identity) then true
    when length(an_identity) < length(other_identity) then
      (position('+' in coalesce(a_number, '')) > 0)
        = (extract(year from current_date)::int - substr(other_identity, 4, 4)::int >= 100)
    else
      (position('+' in coalesce(other_number, '')) > 0)
        = (extract(year from current_date)::int - substr(an_identity, 4, 4)::int >= 100) end
$$;

-- Both ways round, so that it is found by index from the flag and from the row that is asked about.
create or replace view protected_debtor as
  select instance_id, debtor_id from debtor_flag where ended_on is null and kind = 'PROTECTED'
  union all
  select o.instance_id, o.id from debtor_flag f
    join debtor p on p.instance_id = f.instance_id and p.id = f.debtor_id
    join debtor o on o.instance_id = p.instance_id and o.id <> p.id
      and o.identity = any (other_identities(p.identity)) and p.identity = any (other_identities(o.identity))
      and is_same_born(o.identity, o.identification_number, p.identity, p.identification_number)
  where f.ended_on is null and f.kind = 'PROTECTED';
grant execute on function other_identities(text), is_same_born(text, text, text, text) to kvitt_app;
