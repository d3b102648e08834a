-- Money of a bank's line that was booked on the wrong debt: it is taken back, lies in suspense again and may be placed anew. Who did
-- it, why, and where it stood before and after, is kept.
create table moved_payment (
  instance_id uuid not null,
  line_id uuid not null,
  number smallint not null,
  from_invoice_id uuid,
  from_claim_id uuid,
  -- Null: it waits in suspense.
  to_invoice_id uuid,
  to_claim_id uuid,
  moved_by text not null,
  reason text not null,
  moved_at timestamptz not null default now(),
  primary key (instance_id, line_id, number),
  foreign key (instance_id, line_id) references bank_line (instance_id, id)
);
create trigger moved_payment_append_only before update or delete or truncate on moved_payment
  for each statement execute function refuse_change();
grant select, insert on moved_payment to kvitt_app;

-- As before; a line that was moved has been placed again, under the next number.
create or replace view inv_i19_bank_lines_are_booked_once as
  select l.instance_id, l.id as bank_line_id, l.status, l.amount_minor, sum(b.amount_minor) as booked_minor
  from bank_line l
  left join (
    select t.instance_id, regexp_replace(t.cause, '^(((reversal:)?payment|(placed|moved):bank-line):[^:]+):[0-9]+$', '\1') as cause,
      a.currency, sum(p.amount_minor) as amount_minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    where a.kind = 'clearing' and a.gateway in ('BANK_FILE', 'CREDITOR_ACCOUNT')
    group by 1, 2, 3) b
    on b.instance_id = l.instance_id and b.currency = l.currency and b.cause in ('payment:' || l.id,
      'bank-line:' || l.id, 'placed:bank-line:' || l.id, 'reversal:payment:' || l.reverses_id, 'moved:bank-line:' || l.reverses_id)
  group by l.instance_id, l.id, l.status, l.kind, l.amount_minor
  having coalesce(sum(b.amount_minor), 0) <>
    case when l.status = 'WAITING' then 0 when l.kind = 'PAYMENT' then l.amount_minor else -l.amount_minor end;
