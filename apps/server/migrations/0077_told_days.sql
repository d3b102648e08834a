-- How the files of an account come: none (nights do not wait), a statement each bank day, or a file when there is money. Null: not
-- chosen yet; nights do not wait, and in a live instance a person is asked. From files_since on its bank days have to be told of.
alter table payment_account
  add column files text check (files in ('none', 'daily_statement', 'when_there_is_money')),
  add column files_since date,
  add constraint payment_account_files_since check ((files_since is not null) = (files is not null and files <> 'none')),
  -- The account that this one turned out to be: what is printed with this one's number waits for that one's files.
  add column joined_to uuid,
  add foreign key (instance_id, joined_to) references payment_account (instance_id, id);
grant update (files, files_since, joined_to) on payment_account to kvitt_app;

-- Those that were joined so far have lost their addresses: whoever has the number now is the account.
update payment_account p set joined_to = a.account_id from account_address a
where p.instance_id = a.instance_id and p.id <> a.account_id and p.is_usable
  and not exists (select from account_address o where o.instance_id = p.instance_id and o.account_id = p.id)
  and a.address = case when p.iban is not null then left(p.iban, 2) || ' IBAN ' || p.iban
    when p.scheme in ('BANKGIRO', 'PLUSGIRO')
      then 'SE ' || p.scheme || ' ' || ltrim(regexp_replace(p.account_number, '[^0-9]', '', 'g'), '0') end;

-- Bank days after the first untold day for which a night waits.
alter table instance add column bank_file_wait_days smallint not null default 3 check (bank_file_wait_days between 0 and 20);
grant update (bank_file_wait_days) on instance to kvitt_app;

-- What is known of the days of an account: a statement tells of all money of its days; of files that the bank numbers two that
-- follow one another leave nothing between them; or a person says that all is here. Only added to.
create table account_told (
  instance_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('STATEMENT', 'NUMBERED', 'PERSON')),
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  series text,
  number bigint,
  told_by text,
  told_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, account_id) references payment_account (instance_id, id),
  check ((kind = 'NUMBERED') = (series is not null and number is not null)),
  check ((kind = 'PERSON') = (told_by is not null)),
  unique nulls not distinct (instance_id, account_id, kind, series, number, first_day, last_day)
);
grant select, insert on account_told to kvitt_app;

-- Whose debts a night left waiting: told of later that day, it goes on with them.
alter table collection_night add column awaited_accounts uuid[] not null default '{}';
grant update (awaited_accounts, performed) on collection_night to kvitt_app;

insert into task (instance_id, id, kind, about, details, made_on)
  select p.instance_id, gen_random_uuid(), 'account_files_unset', 'account:' || p.id,
    jsonb_build_object('creditorId', p.creditor_id), (now() at time zone i.time_zone)::date
  from payment_account p join instance i on i.id = p.instance_id and i.mode = 'live'
  where p.is_usable and p.joined_to is null;
