-- outside a transaction: as the keys were filled. It may run again.

-- A line that was placed while 0082 gave it its keys kept those of before. The triggers keep what changes from now on. A line is
-- locked before its keys, as whoever places it does: what is placed meanwhile is read as it is then.
update bank_line_key k set status = l.status, account = l.account, bank_date = l.bank_date
from (
  select l.instance_id, l.id, l.status, coalesce(l.account_id::text, l.account_key) as account, l.bank_date from bank_line l
  where exists (select from bank_line_key o where o.instance_id = l.instance_id and o.line_id = l.id
    and (o.status, o.account, o.bank_date)
      is distinct from (l.status, coalesce(l.account_id::text, l.account_key), l.bank_date))
  for share of l) l
where k.instance_id = l.instance_id and k.line_id = l.id;
