-- An installation as it was with migration 0036: rows of every kind that the migrations after it touch or look at.

create function pg_temp.id(name text) returns uuid language sql immutable as $$ select md5(name)::uuid $$;

create function pg_temp.account(k text, invoice text, claim text, creditor text, debtor text, door text) returns uuid
language plpgsql as $$
declare found uuid := pg_temp.id(concat_ws('/', 'account', k, invoice, claim, creditor, debtor, door));
begin
  insert into ledger_account (instance_id, id, kind, currency, invoice_id, claim_id, creditor_id, debtor_id, gateway)
  values (pg_temp.id('instance'), found, k, 'SEK', pg_temp.id(invoice), pg_temp.id(claim), pg_temp.id(creditor),
    pg_temp.id(debtor), door)
  on conflict do nothing;
  return found;
end $$;

-- lines: a bucket of the debt or of the claim, owed, held, credit, suspense, bank or file, with an amount each.
create function pg_temp.book(kind text, cause text, day date, debt text, lines jsonb, payment text default null,
  of_claim text default null)
returns void language plpgsql as $$
declare
  claim text := coalesce(of_claim, case when debt like 'claim%' then debt end);
  invoice text := case when debt not like 'claim%' then debt end;
begin
  insert into ledger_transaction (instance_id, id, kind, booked_on, cause, invoice_id, claim_id, payment_id)
  values (pg_temp.id('instance'), pg_temp.id('tx/' || cause), kind, day, cause, pg_temp.id(invoice), pg_temp.id(claim),
    pg_temp.id(payment));
  insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
  select pg_temp.id('instance'), pg_temp.id('tx/' || cause), n - 1,
    case
      when l.key in ('principal', 'costs', 'interest') then pg_temp.account(l.key, invoice, case when invoice is null then claim end, null, null, null)
      when l.key like 'claim %' then pg_temp.account(substr(l.key, 7), null, 'claim', null, null, null)
      when l.key = 'owed' then pg_temp.account('claims_on_debtors', null, null, 'creditor', null, null)
      when l.key = 'held' then pg_temp.account('held_for_creditor', null, null, 'creditor', null, null)
      when l.key = 'credit' then pg_temp.account('credit', null, null, null, 'alva', null)
      when l.key = 'suspense' then pg_temp.account('suspense', null, null, null, null, null)
      when l.key = 'bank' then pg_temp.account('clearing', null, null, null, null, 'DIRECT_BANK')
      when l.key = 'file' then pg_temp.account('clearing', null, null, null, null, 'BANK_FILE')
    end, 'SEK', l.value::bigint
  from jsonb_each_text(lines) with ordinality l (key, value, n);
end $$;

create function pg_temp.invoice(name text, wishes jsonb default '{}') returns void language plpgsql as $$
begin
  insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
    issue_date, sent_date, expire_date, currency, total_minor, stop_reason, paused_on, is_part_payment, part_payment_variant,
    status_before_authorization, interest_posted_to, rows)
  values (pg_temp.id('instance'), pg_temp.id(name), pg_temp.id(coalesce(wishes ->> 'creditor', 'creditor')),
    pg_temp.id(coalesce(wishes ->> 'debtor', 'alva')), coalesce(wishes ->> 'type', 'INVOICE'),
    coalesce(wishes ->> 'status', 'ACTIVATED'), name, '12345674', '11122', '2026-02-02', '2026-02-02', '2026-03-04', 'SEK',
    coalesce((wishes ->> 'total')::bigint, 84200), wishes ->> 'stopped', (wishes ->> 'paused')::date,
    wishes ? 'variant', wishes ->> 'variant', wishes ->> 'before', (wishes ->> 'posted')::date,
    coalesce(wishes -> 'rows', '[]'));
end $$;

create function pg_temp.sent(name text, total bigint default 84200) returns void language sql as $$
  select pg_temp.book('INVOICE', 'invoice:' || pg_temp.id(name), '2026-02-02', name,
    jsonb_build_object('principal', total, 'owed', -total));
  insert into collection_step (instance_id, id, invoice_id, type, performed_date, planned_date, status)
  values (pg_temp.id('instance'), pg_temp.id('sent/' || name), pg_temp.id(name), 'INVOICE', '2026-02-02', '2026-02-02', 'PERFORMED');
$$;

create function pg_temp.payment(name text, debt text, minor bigint, state text) returns void language sql as $$
  insert into payment (instance_id, id, invoice_id, claim_id, gateway, option, amount_minor, currency, execution_date, payee_name,
    payee_account, payee_scheme, payment_reference, status, failure, redirect_uri, callback_secret, idempotency_key, request_hash)
  values (pg_temp.id('instance'), pg_temp.id(name), case when debt not like 'claim%' then pg_temp.id(debt) end,
    case when debt like 'claim%' then pg_temp.id(debt) end, 'DIRECT_BANK', 'pay-now', minor, 'SEK', '2026-03-20', 'Demo Energi AB',
    '9990-0227', 'BANKGIRO', '12345674', state, case when state = 'FAILED' then 'declined' end, 'http://localhost/',
    md5('secret' || name), 'key-' || name, '\x00');
  insert into payment_move (instance_id, payment_id, number, to_status, door)
  values (pg_temp.id('instance'), pg_temp.id(name), 1, state, 'callback');
$$;

create function pg_temp.line(name text, place int, wishes jsonb) returns void language sql as $$
  insert into bank_line (instance_id, id, file_id, number, account_key, deposit_key, deposit_line, kind, amount_minor, currency,
    bank_date, payment_references, status, invoice_id, claim_id, reverses_id, payment_id)
  values (pg_temp.id('instance'), pg_temp.id(name), pg_temp.id(wishes ->> 'file'), place, 'BANKGIRO99900227', wishes ->> 'deposit', place,
    coalesce(wishes ->> 'kind', 'PAYMENT'), (wishes ->> 'minor')::bigint, 'SEK', '2026-03-20', '{12345674}', wishes ->> 'status',
    pg_temp.id(wishes ->> 'invoice'), pg_temp.id(wishes ->> 'claim'), pg_temp.id(wishes ->> 'reverses'), pg_temp.id(wishes ->> 'payment'));
$$;

create function pg_temp.debtor(called text, old_identity text, street text, street2 text default null, of_kind text default 'PERSON')
returns void language sql as $$
  insert into debtor (instance_id, id, identity, kind, name, country, address, address2, zip, city)
  values (pg_temp.id('instance'), pg_temp.id(called), old_identity, of_kind, called, 'SE', street, street2, '11122', 'Stockholm');
$$;

insert into instance (id, name, country, language, time_zone, identification_number, url_alias, url_domain, is_default, mode, phone,
  email, primary_colour, secondary_colour, button_colour, palette)
values (pg_temp.id('instance'), 'Old AB', 'SE', 'sv', 'Europe/Stockholm', '559999-0016', 'old', 'portal.test', true, 'test',
  '031-390 06 10', 'old@portal.example', '#0b5c6b', '#f2b84b', '#0b5c6b', '{}');
insert into creditor (instance_id, id, identity, name, country) values
  (pg_temp.id('instance'), pg_temp.id('creditor'), 'SE:5599990024', 'Demo Energi AB', 'SE'),
  (pg_temp.id('instance'), pg_temp.id('other creditor'), 'SE:5599990032', 'Demo Gym AB', 'SE');
select pg_temp.debtor('alva', 'SE:name:11122:alva provlund', ' Exempelgatan  4', 'c/o Bo'),
  pg_temp.debtor('bo', 'SE:name:11122:bo provlund', 'Exempelgatan 5'),
  pg_temp.debtor('cia', 'SE:name:11122:cia provlund', '-'),
  pg_temp.debtor('dan', 'SE:name:11122:dan provlund', 'Exempelgatan 7'),
  pg_temp.debtor('eva', 'SE:199007292387', 'Exempelgatan 8'),
  pg_temp.debtor('firma', 'SE:name:11122:firma ab', 'Exempelgatan 9', null, 'COMPANY');
insert into payment_reference (instance_id, reference, debtor_id, creditor_id)
values (pg_temp.id('instance'), '12345674', pg_temp.id('alva'), pg_temp.id('creditor'));
insert into bank_file (instance_id, id, name, format, content_hash) values
  (pg_temp.id('instance'), pg_temp.id('bgmax'), 'a.txt', 'bgmax', '\x01'),
  (pg_temp.id('instance'), pg_temp.id('camt'), 'b.xml', 'camt', '\x02');

-- Paid in time, late, late by transfer, late in part, late after interest was posted, late and then credited.
select pg_temp.invoice(name, wishes), pg_temp.sent(name)
from (values ('in time', '{"status": "CLOSED"}'::jsonb), ('late', '{"status": "CLOSED"}'), ('late by transfer', '{"status": "CLOSED"}'),
  ('late in part', '{}'), ('late and charged', '{"status": "CLOSED", "posted": "2026-03-11"}'),
  ('late and credited', '{"status": "CLOSED"}'), ('taken back', '{}'), ('disputed', '{"status": "DISPUTED"}'),
  ('paused', '{"status": "PAUSED", "paused": "2026-03-05"}'), ('stopped', '{"status": "STOPPED", "stopped": "withdrawn"}'),
  ('unsent reminder', '{}'), ('of bo', '{"debtor": "bo"}'), ('of cia', '{"debtor": "cia"}'), ('of eva', '{"debtor": "eva"}'),
  ('of a firm', '{"debtor": "firma"}'), ('signed', '{"status": "PENDING_AUTHORIZATION", "before": "ACTIVATED"}')) v (name, wishes);
select pg_temp.invoice('of bo, other creditor', '{"debtor": "bo", "creditor": "other creditor", "status": "PENDING"}');

select pg_temp.payment('p in time', 'in time', 84200, 'COMPLETED'), pg_temp.payment('p late', 'late', 84200, 'COMPLETED'),
  pg_temp.payment('p part', 'late in part', 30000, 'COMPLETED'), pg_temp.payment('p charged', 'late and charged', 90361, 'COMPLETED'),
  pg_temp.payment('p credited', 'late and credited', 84200, 'COMPLETED'), pg_temp.payment('p given up', 'paused', 84200, 'FAILED'),
  pg_temp.payment('p signed', 'signed', 84200, 'AUTHORIZED');
create function pg_temp.paid(p text, invoice text, day date, minor bigint) returns void language sql as $$
  select pg_temp.book('PAYMENT', 'payment:' || pg_temp.id(p), day, invoice,
    jsonb_build_object('principal', -minor, 'owed', minor, 'bank', minor, 'held', -minor), p)
$$;
select pg_temp.paid('p in time', 'in time', '2026-03-04', 84200), pg_temp.paid('p late', 'late', '2026-03-20', 84200),
  pg_temp.paid('p part', 'late in part', '2026-03-20', 30000), pg_temp.paid('p credited', 'late and credited', '2026-03-20', 84200);
select pg_temp.book('CREDIT_INVOICE', 'credit-note:1', '2026-04-01', 'late and credited', '{"held": 84200, "credit": -84200}');
insert into credit_note (instance_id, creditor_id, credit_note_number, invoice_id, transaction_id, content_hash)
values (pg_temp.id('instance'), pg_temp.id('creditor'), 'K-1', pg_temp.id('late and credited'), pg_temp.id('tx/credit-note:1'), '\x00');

-- Reminders: one that was sent and charged, one that never was.
insert into collection_step (instance_id, id, invoice_id, type, planned_date, performed_date, status)
select pg_temp.id('instance'), pg_temp.id('reminder/' || name), pg_temp.id(name), 'REMINDER', '2026-03-11',
  case status when 'PERFORMED' then date '2026-03-11' end, status
from (values ('late and charged', 'PERFORMED'), ('unsent reminder', 'SKIPPED')) v (name, status);
select pg_temp.book('INTEREST', 'interest:' || pg_temp.id('reminder/late and charged'), '2026-03-11', 'late and charged', '{"interest": 161, "owed": -161}'),
  pg_temp.book('REMINDER', 'step:' || pg_temp.id('reminder/late and charged'), '2026-03-11', 'late and charged', '{"costs": 6000, "owed": -6000}'),
  pg_temp.book('REMINDER', 'step:' || pg_temp.id('reminder/unsent reminder'), '2026-03-11', 'unsent reminder', '{"costs": 6000, "owed": -6000}'),
  pg_temp.book('REVERSAL', 'unsent:' || pg_temp.id('reminder/unsent reminder'), '2026-03-12', 'unsent reminder', '{"costs": -6000, "owed": 6000}'),
  pg_temp.book('PAYMENT', 'payment:' || pg_temp.id('p charged'), '2026-03-20', 'late and charged',
    '{"principal": -84200, "costs": -6000, "interest": -161, "owed": 90361, "bank": 90361, "held": -90361}', 'p charged');
insert into mail_outbox (instance_id, id, channel, kind, cause, invoice_id, status, sent_at, step_id)
select pg_temp.id('instance'), pg_temp.id('mail/' || name), 'EMAIL', 'reminder', 'step:' || pg_temp.id('reminder/' || name), pg_temp.id(name),
  status, case status when 'SENT' then timestamptz '2026-03-11' end, pg_temp.id('reminder/' || name)
from (values ('late and charged', 'SENT'), ('unsent reminder', 'DROPPED')) v (name, status);
insert into dispute (instance_id, id, invoice_id, email, reason, status, opened_on)
values (pg_temp.id('instance'), pg_temp.id('dispute'), pg_temp.id('disputed'), 'alva@example.com', 'Fel', 'OPEN', '2026-03-01');

-- Transfers: booked, taken back by a deduction of the same name, and three that a person has to look at.
select pg_temp.line('line', 1, '{"file": "bgmax", "deposit": "bgmax:1", "minor": 84200, "status": "BOOKED", "invoice": "late by transfer"}'),
  pg_temp.line('line back', 2, '{"file": "camt", "deposit": "camt:a", "minor": 84200, "status": "REVERSED", "invoice": "taken back"}'),
  pg_temp.line('deduction', 3, '{"file": "camt", "deposit": "camt:a", "minor": 84200, "status": "REVERSED", "kind": "DEDUCTION", "reverses": "line back"}'),
  pg_temp.line('unknown', 4, '{"file": "camt", "deposit": "camt:b", "minor": 700, "status": "SUSPENSE"}'),
  pg_temp.line('unknown deduction', 5, '{"file": "camt", "deposit": "camt:c", "minor": 300, "status": "SUSPENSE", "kind": "DEDUCTION"}'),
  pg_temp.line('deduction of bgmax', 6, '{"file": "bgmax", "deposit": "bgmax:1", "minor": 200, "status": "SUSPENSE", "kind": "DEDUCTION"}'),
  pg_temp.line('waiting', 7, '{"file": "camt", "deposit": "camt:d", "minor": 100, "status": "WAITING"}');
select pg_temp.book('PAYMENT', 'payment:' || pg_temp.id('line'), '2026-03-20', 'late by transfer', '{"principal": -84200, "owed": 84200, "file": 84200, "held": -84200}'),
  pg_temp.book('PAYMENT', 'payment:' || pg_temp.id('line back'), '2026-03-20', 'taken back', '{"principal": -84200, "owed": 84200, "file": 84200, "held": -84200}'),
  pg_temp.book('REVERSAL', 'reversal:payment:' || pg_temp.id('line back'), '2026-03-25', 'taken back', '{"principal": 84200, "owed": -84200, "file": -84200, "held": 84200}'),
  pg_temp.book('PAYMENT', 'bank-line:' || pg_temp.id('unknown'), '2026-03-20', null, '{"file": 700, "suspense": -700}'),
  pg_temp.book('REVERSAL', 'bank-line:' || pg_temp.id('unknown deduction'), '2026-03-20', null, '{"file": -300, "suspense": 300}'),
  pg_temp.book('REVERSAL', 'bank-line:' || pg_temp.id('deduction of bgmax'), '2026-03-20', null, '{"file": -200, "suspense": 200}');

-- A claim, paid in part and late.
insert into claim (instance_id, id, creditor_id, debtor_id, status, claim_number, payment_reference, zip, currency, opened_on, expire_date,
  total_minor, interest_posted_to)
values (pg_temp.id('instance'), pg_temp.id('claim'), pg_temp.id('creditor'), pg_temp.id('alva'), 'OPEN', '1', '12345674', '11122', 'SEK',
  '2026-03-26', '2026-04-05', 102200, '2026-03-26');
select pg_temp.invoice('joined'), pg_temp.sent('joined');
update invoice set claim_id = pg_temp.id('claim') where id = pg_temp.id('joined');
select pg_temp.book('TRANSFER_TO_CLAIM', 'transfer:' || pg_temp.id('joined'), '2026-03-26', 'joined', '{"principal": -84200, "claim principal": 84200}', null, 'claim');
insert into collection_step (instance_id, id, claim_id, type, planned_date, performed_date, status)
values (pg_temp.id('instance'), pg_temp.id('demand'), pg_temp.id('claim'), 'COLLECTION_CLAIM', '2026-03-26', '2026-03-26', 'PERFORMED');
insert into collection_step (instance_id, id, claim_id, type, number, planned_date, status)
values (pg_temp.id('instance'), pg_temp.id('court'), pg_temp.id('claim'), 'BAILIFF_PAYMENT_INJUCTION', 1, '2026-04-20', 'PLANNED');
select pg_temp.book('COLLECTION', 'step:' || pg_temp.id('demand'), '2026-03-26', 'claim', '{"costs": 18000, "owed": -18000}');
select pg_temp.payment('p claim', 'claim', 50000, 'COMPLETED');
select pg_temp.book('PAYMENT', 'payment:' || pg_temp.id('p claim'), '2026-04-10', 'claim',
  '{"principal": -32000, "costs": -18000, "owed": 50000, "bank": 50000, "held": -50000}', 'p claim');

-- A plan with a bill that was paid late, and an interest invoice of the old kind.
insert into part_payment_setting (instance_id, id, code, variant, currency, months, start_fee_minor, monthly_fee_minor, percent,
  interest_free_days, terms_days, add_to_existing, legal_visible, terms_visible, smallest_balance_minor, is_offered, valid_from)
values (pg_temp.id('instance'), pg_temp.id('setting'), 'PLAN_3', 'PART_PAYMENT', 'SEK', 3, 0, 2900, 0, 0, 14, false, false, true, 30000, true, '2020-01-01');
insert into part_payment (instance_id, id, setting_id, creditor_id, debtor_id, currency, status, number, amount_minor, started_on,
  withdraw_until, agreement, idempotency_key, request_hash)
values (pg_temp.id('instance'), pg_temp.id('plan'), pg_temp.id('setting'), pg_temp.id('creditor'), pg_temp.id('alva'), 'SEK', 'ACTIVE', 'planned',
  84200, '2026-02-10', '2026-02-24', '{}', 'plan', '\x00');
select pg_temp.invoice('planned', '{"variant": "PART_PAYMENT"}'), pg_temp.sent('planned'),
  pg_temp.invoice('planned-1', '{"type": "PART_INVOICE", "status": "CLOSED", "total": 30967}');
update invoice set is_part_payment = false, part_payment_variant = 'PART_PAYMENT' where id = pg_temp.id('planned-1');
insert into part_payment_member (instance_id, invoice_id, part_payment_id, added_on, amount_minor)
values (pg_temp.id('instance'), pg_temp.id('planned'), pg_temp.id('plan'), '2026-02-10', 84200);
insert into part_payment_instalment (instance_id, id, part_payment_id, number, send_date, due_date, principal_minor, interest_minor, fee_minor, invoice_id)
select pg_temp.id('instance'), pg_temp.id('instalment' || n), pg_temp.id('plan'), n, '2026-02-10', date '2026-02-10' + 30 * n,
  case n when 3 then 28066 else 28067 end, 0, 2900, case n when 1 then pg_temp.id('planned-1') end from generate_series(1, 3) n;
select pg_temp.book('TRANSFER_TO_PLAN', 'plan:' || pg_temp.id('instalment1'), '2026-02-10', 'planned', '{"principal": -28067, "owed": 28067}'),
  pg_temp.book('INVOICE', 'invoice:' || pg_temp.id('planned-1'), '2026-02-10', 'planned-1', '{"principal": 28067, "owed": -28067}'),
  pg_temp.book('ADMIN_FEE', 'admin_fee:' || pg_temp.id('instalment1'), '2026-02-10', 'planned-1', '{"costs": 2900, "owed": -2900}'),
  pg_temp.payment('p planned', 'planned-1', 30967, 'COMPLETED');
select pg_temp.book('PAYMENT', 'payment:' || pg_temp.id('p planned'), '2026-03-20', 'planned-1',
  '{"principal": -28067, "costs": -2900, "owed": 30967, "bank": 30967, "held": -30967}', 'p planned');
select pg_temp.invoice('interest', '{"type": "INTEREST_INVOICE", "total": 369, "rows": [{"line": "1", "amountMinor": 200}, {"line": "2", "amountMinor": 169}]}'),
  pg_temp.book('INVOICE', 'invoice:' || pg_temp.id('interest'), '2026-04-01', 'interest', '{"principal": 369, "owed": -369}');

-- What was owed back to Alva has been sent.
insert into refund (instance_id, id, payment_id, about, amount_minor, currency, status, callback_secret)
values (pg_temp.id('instance'), pg_temp.id('refund'), pg_temp.id('p credited'), 'payment:' || pg_temp.id('p credited'), 84200, 'SEK', 'PAID', 'refund');
select pg_temp.book('REFUND', 'sent:refund:' || pg_temp.id('refund'), '2026-04-02', 'late and credited', '{"credit": 84200, "bank": -84200}');
insert into operator_task (instance_id, id, kind, about, details)
values (pg_temp.id('instance'), pg_temp.id('task'), 'bank_line', 'bank-line:' || pg_temp.id('unknown'), '{}');
