-- A line of another format that tells of the same money is looked for among keys of that format alone that no line repeats yet:
-- of a million lines with one reference nobody reads more than one a day.
alter table bank_line_key add column format text;
alter table bank_line_key add column is_repeated boolean not null default false;
comment on column bank_line_key.format is 'of the file of its line';
comment on column bank_line_key.is_repeated is 'whether another line tells of the same money';

create or replace function keep_bank_line_keys() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update bank_line_key set status = new.status, account = coalesce(new.account_id::text, new.account_key),
      bank_date = new.bank_date
    where instance_id = new.instance_id and line_id = new.id;
  else
    insert into bank_line_key
      (instance_id, line_id, reference, account, kind, status, amount_minor, currency, bank_date, format)
    select distinct new.instance_id, new.id, bare_reference(r), coalesce(new.account_id::text, new.account_key), new.kind,
      new.status, new.amount_minor, new.currency, new.bank_date,
      (select f.format from bank_file f where f.instance_id = new.instance_id and f.id = new.file_id)
    from unnest(new.payment_references) r where bare_reference(r) <> ''
    on conflict do nothing;
  end if;
  return null;
end $$;

create function keep_bank_line_repeated() returns trigger language plpgsql as $$
begin
  update bank_line_key set is_repeated = true where instance_id = new.instance_id and line_id = new.repeats_id;
  return null;
end $$;
create trigger bank_line_repeated after update of repeats_id on bank_line for each row
  when (new.repeats_id is not null and new.repeats_id is distinct from old.repeats_id)
  execute function keep_bank_line_repeated();
