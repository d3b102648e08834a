-- Who has a payment account at the bank: the instance, with client funds on it (for one creditor, or for all when it has none),
-- or the creditor itself. Null: an account of a creditor from before this was asked. Nothing is guessed: a person is asked, once
-- for each, and until then its money is booked as it was before, as held.
alter table payment_account add column holder text check (holder in ('INSTANCE', 'CREDITOR'));
update payment_account set holder = 'INSTANCE' where creditor_id is null;
alter table payment_account add constraint payment_account_of_all_is_ours
  check (creditor_id is not null or holder is distinct from 'CREDITOR');
grant update (holder) on payment_account to kvitt_app;
insert into task (instance_id, id, kind, about, details)
  select instance_id, gen_random_uuid(), 'account_holder_unset', 'account:' || id, jsonb_build_object('creditorId', creditor_id)
  from payment_account where holder is null and is_usable;

-- As it was told when the line came, or since.
alter table bank_line add column holder text check (holder in ('INSTANCE', 'CREDITOR'));
grant update (holder) on bank_line to kvitt_app;

-- Per creditor: what was paid to its own account, which we never hold. Per creditor and debtor: what the creditor owes back of it.
do $$
declare name text;
begin
  for name in select conname from pg_constraint where conrelid = 'ledger_account'::regclass and contype = 'c'
    and (pg_get_constraintdef(oid) like '%held_for_creditor%' or pg_get_constraintdef(oid) like '%debtor_id IS NOT NULL%')
  loop
    execute format('alter table ledger_account drop constraint %I', name);
  end loop;
end $$;
alter table ledger_account
  add constraint ledger_account_kind check (kind in ('principal', 'costs', 'interest', 'claims_on_debtors', 'held_for_creditor',
    'paid_to_creditor', 'clearing', 'credit', 'credit_at_creditor', 'suspense')),
  add constraint ledger_account_of_creditor check ((creditor_id is not null) =
    (kind in ('claims_on_debtors', 'held_for_creditor', 'paid_to_creditor', 'credit_at_creditor'))),
  add constraint ledger_account_of_debtor check ((debtor_id is not null) = (kind in ('credit', 'credit_at_creditor')));

-- As before; money on a creditor's own account stands on a clearing account of its own.
create or replace view inv_i19_bank_lines_are_booked_once as
  select l.instance_id, l.id as bank_line_id, l.status, l.amount_minor, sum(b.amount_minor) as booked_minor
  from bank_line l
  left join (
    select t.instance_id, regexp_replace(t.cause, '^((reversal:)?payment:[^:]+):[0-9]+$', '\1') as cause, a.currency,
      sum(p.amount_minor) as amount_minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
    where a.kind = 'clearing' and a.gateway in ('BANK_FILE', 'CREDITOR_ACCOUNT')
    group by 1, 2, 3) b
    on b.instance_id = l.instance_id and b.currency = l.currency and b.cause in ('payment:' || l.id,
      'bank-line:' || l.id, 'placed:bank-line:' || l.id, 'reversal:payment:' || l.reverses_id)
  group by l.instance_id, l.id, l.status, l.kind, l.amount_minor
  having coalesce(sum(b.amount_minor), 0) <>
    case when l.status = 'WAITING' then 0 when l.kind = 'PAYMENT' then l.amount_minor else -l.amount_minor end;

-- What was paid to a creditor's own account stands there: with the creditor, owed back by it, or in suspense.
create view inv_i26_creditor_money_is_never_held as
  select t.instance_id, t.id as transaction_id, t.cause
  from ledger_transaction t
  join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
  where a.kind = 'clearing' and a.gateway = 'CREDITOR_ACCOUNT' and t.kind = 'PAYMENT' and exists (
    select from posting o join ledger_account h on h.instance_id = o.instance_id and h.id = o.account_id
    where o.instance_id = t.instance_id and o.transaction_id = t.id and h.kind in ('held_for_creditor', 'credit'));
grant select on inv_i26_creditor_money_is_never_held to kvitt_app;
