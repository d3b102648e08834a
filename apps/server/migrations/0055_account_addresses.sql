-- An account has any number of addresses: bankgiro, plusgiro, IBAN, national number, Swish number. Each is kept in one
-- canonical text (packages/domain/src/account-address.ts) and belongs to one account of the instance.

create table account_address (
  instance_id uuid not null,
  address text not null,
  account_id uuid not null,
  entered_at timestamptz not null default now(),
  primary key (instance_id, address),
  foreign key (instance_id, account_id) references payment_account (instance_id, id)
);
create index account_address_account on account_address (instance_id, account_id);
grant select, insert on account_address to kvitt_app;
-- Two accounts that turn out to be one are joined.
grant update (account_id) on account_address to kvitt_app;

-- The numbers that accounts have already. Whoever had one first keeps it.
insert into account_address (instance_id, address, account_id)
select instance_id, address, id from (
  select instance_id, id, created_at, left(iban, 2) || ' IBAN ' || iban as address
  from payment_account where is_usable and iban is not null
  union all
  select instance_id, id, created_at,
    'SE ' || scheme || ' ' || ltrim(regexp_replace(account_number, '[^0-9]', '', 'g'), '0')
  from payment_account where is_usable and scheme in ('BANKGIRO', 'PLUSGIRO') and account_number ~ '[1-9]') known
order by created_at, id
on conflict do nothing;

-- The account that a line came to, however its file writes the number.
alter table bank_line add column account_id uuid;
alter table bank_line add foreign key (instance_id, account_id) references payment_account (instance_id, id);
grant update (account_id) on bank_line to kvitt_app;

update bank_line l set account_id = (
  select a.account_id from account_address a
  join payment_account p on p.instance_id = a.instance_id and p.id = a.account_id
  where a.instance_id = l.instance_id
    and (a.address in ('SE BANKGIRO ' || l.account_key, 'SE PLUSGIRO ' || l.account_key,
        left(l.account_key, 2) || ' IBAN ' || l.account_key)
      or length(l.account_key) = 11 and a.address like 'NO IBAN NO__' || l.account_key
      or length(l.account_key) = 14 and a.address like 'DK IBAN DK__' || l.account_key)
  order by p.creditor_id = any(l.creditor_ids) desc nulls last, a.address limit 1);

create index bank_line_account on bank_line (instance_id, account_id, bank_date);
