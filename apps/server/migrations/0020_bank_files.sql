-- Money that came to the bank accounts, as the banks' files tell it. A file is kept with all its lines or not at all;
-- then each line is booked by itself, once.

create table bank_file (
  instance_id uuid not null references instance (id),
  id uuid not null,
  name text not null,
  format text not null check (format in ('bgmax', 'ocr-giro', 'camt')),
  -- SHA-256 of the file's bytes: the same file again is known by it.
  content_hash bytea not null,
  received_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, content_hash)
);

create table bank_line (
  instance_id uuid not null,
  id uuid not null,
  file_id uuid not null,
  -- Its place in the file.
  number integer not null,
  -- Account, deposit and place in the deposit: the same in every file that tells of the same money.
  account_key text not null,
  deposit_key text not null,
  deposit_line integer not null,
  -- Whose account it is; null for the instance's own.
  creditor_ids uuid[],
  kind text not null check (kind in ('PAYMENT', 'DEDUCTION')),
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  bank_date date not null,
  payment_references text[] not null,
  payer text,
  message text,
  -- BOOKED on a debt; KNOWN: a gateway had told of this money before; SUSPENSE: a person has to place it; REVERSED:
  -- a payment that was taken back, and the deduction that did it.
  status text not null default 'WAITING' check (status in ('WAITING', 'BOOKED', 'KNOWN', 'SUSPENSE', 'REVERSED')),
  invoice_id uuid,
  claim_id uuid,
  -- The gateway's payment whose money this is, or the line that a deduction takes back.
  payment_id uuid,
  reverses_id uuid,
  primary key (instance_id, id),
  unique (instance_id, account_key, deposit_key, deposit_line),
  unique (instance_id, payment_id),
  unique (instance_id, reverses_id),
  foreign key (instance_id, file_id) references bank_file (instance_id, id),
  foreign key (instance_id, invoice_id) references invoice (instance_id, id),
  foreign key (instance_id, claim_id) references claim (instance_id, id),
  foreign key (instance_id, payment_id) references payment (instance_id, id),
  foreign key (instance_id, reverses_id) references bank_line (instance_id, id)
);
create index bank_line_waiting on bank_line (instance_id, file_id, number) where status = 'WAITING';
create index bank_line_file on bank_line (instance_id, file_id);
create index invoice_original_reference on invoice (instance_id, original_reference) where original_reference is not null;
create index claim_reference on claim (instance_id, payment_reference);

-- Every line that is not waiting stands in the books once with its amount, and a waiting one not at all.
create view inv_i19_bank_lines_are_booked_once as
  select l.instance_id, l.id as bank_line_id, l.status, l.amount_minor, sum(b.amount_minor) as booked_minor
  from bank_line l
  left join (
    select t.instance_id, t.cause, a.currency, sum(p.amount_minor) as amount_minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    where a.kind = 'clearing' and a.gateway = 'BANK_FILE'
    group by 1, 2, 3) b
    on b.instance_id = l.instance_id and b.currency = l.currency
      and b.cause in ('payment:' || l.id, 'bank-line:' || l.id, 'reversal:payment:' || l.reverses_id)
  group by l.instance_id, l.id, l.status, l.kind, l.amount_minor
  having coalesce(sum(b.amount_minor), 0) <>
    case when l.status = 'WAITING' then 0 when l.kind = 'PAYMENT' then l.amount_minor else -l.amount_minor end;

grant select on bank_file, bank_line, inv_i19_bank_lines_are_booked_once to kvitt_app;
grant insert on bank_file, bank_line to kvitt_app;
grant update (status, invoice_id, claim_id, payment_id, reverses_id) on bank_line to kvitt_app;
