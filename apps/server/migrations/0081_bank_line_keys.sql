-- The references of bank lines, each once for a line, as they are compared: without the frame of an RF reference, and without
-- leading zeros. With it stands all that a line is looked for by, so that among a million equal lines nobody reads more than one.
create function bare_reference(reference text) returns text language sql immutable parallel safe
  return ltrim(regexp_replace(reference, '^RF[0-9]{2}', ''), '0');

create table bank_line_key (
  instance_id uuid not null,
  line_id uuid not null,
  reference text not null,
  -- The account's id; the printed number of a line from before accounts had one.
  account text not null,
  kind text not null,
  status text not null,
  amount_minor bigint not null,
  currency char(3) not null,
  bank_date date not null,
  primary key (instance_id, line_id, reference),
  foreign key (instance_id, line_id) references bank_line (instance_id, id)
);
grant select, insert, update, delete on bank_line_key to kvitt_app;

create function keep_bank_line_keys() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update bank_line_key set status = new.status, account = coalesce(new.account_id::text, new.account_key),
      bank_date = new.bank_date
    where instance_id = new.instance_id and line_id = new.id;
  else
    insert into bank_line_key (instance_id, line_id, reference, account, kind, status, amount_minor, currency, bank_date)
    select distinct new.instance_id, new.id, bare_reference(r), coalesce(new.account_id::text, new.account_key), new.kind,
      new.status, new.amount_minor, new.currency, new.bank_date
    from unnest(new.payment_references) r where bare_reference(r) <> ''
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger bank_line_made after insert on bank_line for each row
  when (new.payment_references <> '{}') execute function keep_bank_line_keys();
create trigger bank_line_moved after update of status, account_id, bank_date on bank_line for each row
  when (new.payment_references <> '{}'
    and (new.status, new.account_id, new.bank_date) is distinct from (old.status, old.account_id, old.bank_date))
  execute function keep_bank_line_keys();

-- Empty once the lines from before have their keys, which the next migration gives them.
create view inv_i31_bank_lines_have_their_keys as
  select coalesce(k.instance_id, w.instance_id) as instance_id, coalesce(k.line_id, w.line_id) as bank_line_id
  from bank_line_key k
  full join (
    select distinct l.instance_id, l.id as line_id, bare_reference(r) as reference,
      coalesce(l.account_id::text, l.account_key) as account, l.kind, l.status, l.amount_minor, l.currency, l.bank_date
    from bank_line l cross join unnest(l.payment_references) r where bare_reference(r) <> '') w
    on w.instance_id = k.instance_id and w.line_id = k.line_id and w.reference = k.reference
  where w.line_id is null or k.line_id is null
    or (k.account, k.kind, k.status, k.amount_minor, k.currency, k.bank_date)
      is distinct from (w.account, w.kind, w.status, w.amount_minor, w.currency, w.bank_date);
grant select on inv_i31_bank_lines_have_their_keys to kvitt_app;
