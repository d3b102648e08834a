-- What a bank calls an entry: {"servicer": [...], "transaction": [...], "uetr": [...], "endToEnd": [...]}, on the first line of a
-- deposit. Empty for what was kept before; there the key holds the servicer's name.
alter table bank_line add column bank_ids jsonb not null default '{}';
-- It agrees with an entry that is kept in part and contradicts it in part: a person decides whether it is the same.
alter table bank_line add column is_doubtful boolean not null default false;
create index bank_line_deposit on bank_line (instance_id, account_id, deposit_key);
create index bank_line_day on bank_line (instance_id, account_id, bank_date, id);
drop index bank_line_account;

-- What a camt.053 says stood on the account before and after its entries. The next statement begins where the last one ended.
create table bank_statement (
  instance_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  account_id uuid not null,
  currency char(3) not null,
  opening_on date not null,
  opening_minor bigint not null,
  closing_on date not null,
  closing_minor bigint not null,
  primary key (instance_id, id),
  unique (instance_id, account_id, currency, closing_on, opening_on, opening_minor, closing_minor),
  foreign key (instance_id, file_id) references bank_file (instance_id, id),
  foreign key (instance_id, account_id) references payment_account (instance_id, id)
);
grant select, insert on bank_statement to kvitt_app;
grant update (account_id) on bank_statement to kvitt_app;
