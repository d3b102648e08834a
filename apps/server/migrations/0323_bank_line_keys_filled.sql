-- outside a transaction: the table is large, and nobody waits for an index. All of it may run again.

-- The keys from before. A line is locked before its keys, as whoever places it does.
update bank_line_key k set format = l.format,
  is_repeated = exists (select from bank_line x where x.instance_id = k.instance_id and x.repeats_id = k.line_id)
from (
  select b.instance_id, b.id, f.format from bank_line b
  join bank_file f on f.instance_id = b.instance_id and f.id = b.file_id
  where exists (select from bank_line_key o where o.instance_id = b.instance_id and o.line_id = b.id and o.format is null)
  for share of b) l
where k.instance_id = l.instance_id and k.line_id = l.id and k.format is null;
create index concurrently if not exists bank_line_key_untold on bank_line_key
  (instance_id, reference, account, amount_minor, currency, kind, format, bank_date, line_id)
  where not is_repeated and status <> 'REPEATED';
analyze bank_line_key;
