-- Webhooks: a creditor's programs are told what has become of its invoices, claims, payments, plans, disputes and imports.

-- A secret of another part, encrypted with the keys of credentials. Whoever rotates those encrypts these anew as well.
create table kept_secret (
  instance_id uuid not null references instance (id),
  id uuid not null,
  key_id text not null check (key_id ~ '^[0-9a-f]{8}$'),
  sealed bytea not null,
  primary key (instance_id, id)
);
grant select, insert, delete on kept_secret to kvitt_app;
grant update (key_id, sealed) on kept_secret to kvitt_app;

create table webhook (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  address text not null check (length(address) between 1 and 500),
  events text[] not null check (cardinality(events) > 0),
  -- Null: it is on.
  off_since timestamptz,
  off_reason text check (off_reason in ('BY_HAND', 'FAILED', 'GONE')),
  secret_id uuid,
  -- The secret before, which signs beside the new one until then.
  former_secret_id uuid,
  former_until timestamptz,
  -- It is there for nobody any more: what has happened may be told of it at this moment, and its deliveries are removed bit by bit.
  removed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  foreign key (instance_id, secret_id) references kept_secret (instance_id, id),
  foreign key (instance_id, former_secret_id) references kept_secret (instance_id, id),
  check ((off_since is null) = (off_reason is null)),
  check ((former_secret_id is null) = (former_until is null)),
  check (secret_id is not null or removed_at is not null)
);
create index webhook_creditor on webhook (instance_id, creditor_id, created_at);
grant select, insert, delete on webhook to kvitt_app;
grant update (address, events, off_since, off_reason, secret_id, former_secret_id, former_until, removed_at, version) on webhook to kvitt_app;

-- How many events there have been of a subject: their order is not promised, so each says which one it is.
create table webhook_subject (
  instance_id uuid not null,
  subject_id uuid not null,
  last_sequence bigint not null,
  primary key (instance_id, subject_id)
);
grant select, insert on webhook_subject to kvitt_app;
grant update (last_sequence) on webhook_subject to kvitt_app;

create table webhook_event (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  type text not null,
  subject_id uuid not null,
  -- What it tells of: the same fact is told once.
  cause text not null,
  -- As it is sent: {type, timestamp, data}. No personal data.
  body jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (instance_id, id),
  unique (instance_id, creditor_id, cause)
);
create index webhook_event_span on webhook_event (instance_id, creditor_id, created_at, id);
create index webhook_event_age on webhook_event (created_at);
grant select, insert, delete on webhook_event to kvitt_app;

create table webhook_delivery (
  instance_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'DELIVERED', 'FAILED')),
  tries integer not null default 0,
  -- The number of the first try since it was last asked for: pauses count from it.
  first_try integer not null default 1,
  -- When it is tried next; of one that is being tried, when whoever does it is taken for dead.
  next_try_at timestamptz not null default now(),
  -- Whose try it is: only they write what came of it.
  taken_by uuid,
  -- The try that the receiver took last.
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, webhook_id, event_id),
  foreign key (instance_id, webhook_id) references webhook (instance_id, id),
  foreign key (instance_id, event_id) references webhook_event (instance_id, id) on delete cascade
);
create index webhook_delivery_due on webhook_delivery (instance_id, webhook_id, next_try_at) where status = 'WAITING';
create index webhook_delivery_list on webhook_delivery (instance_id, webhook_id, created_at, id);
create index webhook_delivery_taken on webhook_delivery (instance_id, webhook_id, delivered_at) where delivered_at is not null;
create index webhook_delivery_event on webhook_delivery (instance_id, event_id);
grant select, insert, delete on webhook_delivery to kvitt_app;
grant update (status, tries, first_try, next_try_at, taken_by, delivered_at) on webhook_delivery to kvitt_app;

create table webhook_try (
  instance_id uuid not null,
  delivery_id uuid not null,
  -- From 1 on, and on when it is sent again.
  number integer not null,
  at timestamptz not null,
  ms integer not null check (ms >= 0),
  answer_status integer,
  failure text,
  -- The beginning of what came back.
  answer text not null,
  primary key (instance_id, delivery_id, number),
  foreign key (instance_id, delivery_id) references webhook_delivery (instance_id, id) on delete cascade
);
grant select, insert on webhook_try to kvitt_app;

-- ---------------------------------------------------------------------------------------------------------
-- Where events come from. The tables themselves tell, when the transaction ends: whatever moves a status or books money cannot
-- forget it, and amounts are those that the transaction leaves. An instance without webhooks pays for one look into `webhook`.

create function has_webhooks(of_instance uuid) returns boolean language plpgsql stable as $$
begin
  return exists (select from webhook w where w.instance_id = of_instance and w.removed_at is null);
end $$;

create function wants_webhook(of_instance uuid, of_creditor uuid, of_type text) returns boolean language plpgsql stable as $$
begin
  return exists (select from webhook w
    where w.instance_id = of_instance and w.creditor_id = of_creditor and w.removed_at is null and of_type = any (w.events));
end $$;

-- `of_cause` null: what happens to a subject again and again is counted. Whoever tells holds the subject's row locked.
create function tell_webhooks(of_instance uuid, of_creditor uuid, of_type text, of_subject uuid, of_cause text, of_data jsonb)
returns void language plpgsql as $$
declare
  number bigint;
  made uuid;
begin
  if not wants_webhook(of_instance, of_creditor, of_type) then return; end if;
  if of_cause is not null and exists (select from webhook_event e
    where e.instance_id = of_instance and e.creditor_id = of_creditor and e.cause = of_cause) then return; end if;
  insert into webhook_subject (instance_id, subject_id, last_sequence) values (of_instance, of_subject, 1)
    on conflict (instance_id, subject_id) do update set last_sequence = webhook_subject.last_sequence + 1
    returning last_sequence into number;
  insert into webhook_event (instance_id, id, creditor_id, type, subject_id, cause, body)
    values (of_instance, gen_random_uuid(), of_creditor, of_type, of_subject,
      coalesce(of_cause, of_type || ':' || of_subject || ':' || number),
      jsonb_build_object('type', of_type,
        'timestamp', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', of_data || jsonb_build_object('sequence', number)))
    on conflict (instance_id, creditor_id, cause) do nothing returning id into made;
  if made is null then return; end if;
  -- One that is off is told later, when somebody sends the span again. Who changes or removes a webhook meanwhile is not waited for:
  -- they never lock its key.
  insert into webhook_delivery (instance_id, id, webhook_id, event_id)
    select w.instance_id, gen_random_uuid(), w.id, made from webhook w
    where w.instance_id = of_instance and w.creditor_id = of_creditor and w.removed_at is null and w.off_since is null and of_type = any (w.events);
end $$;

create function webhook_data_of_invoice(of_instance uuid, of_invoice uuid, of_status text) returns jsonb language plpgsql stable as $$
begin
  return (select jsonb_build_object('id', i.id, 'number', i.invoice_number, 'type', i.type, 'status', coalesce(of_status, i.status),
      'total', i.total_minor * 0.01, 'balance', i.balance_minor * 0.01, 'currency', i.currency, 'collectionBatchId', i.claim_id)
    from invoice i where i.instance_id = of_instance and i.id = of_invoice);
end $$;

create function tell_of_invoice() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.instance_id, new.creditor_id,
    'invoice.' || case new.status when 'ACTIVATED' then 'activated' when 'CLOSED' then 'closed' when 'DISPUTED' then 'disputed' else 'stopped' end,
    new.id, null, webhook_data_of_invoice(new.instance_id, new.id, new.status));
  return null;
end $$;
create constraint trigger invoice_made_tells_webhooks after insert on invoice deferrable initially deferred for each row
  when (new.status = 'ACTIVATED' and has_webhooks(new.instance_id)) execute function tell_of_invoice();
create constraint trigger invoice_moved_tells_webhooks after update of status on invoice deferrable initially deferred for each row
  when (old.status is distinct from new.status and (new.status in ('CLOSED', 'DISPUTED', 'STOPPED')
      or new.status = 'ACTIVATED' and old.status in ('CREATED', 'PENDING'))
    and has_webhooks(new.instance_id))
  execute function tell_of_invoice();

create function tell_of_reminder() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(i.instance_id, i.creditor_id, 'invoice.reminded', i.id, 'invoice.reminded:' || new.id,
      webhook_data_of_invoice(i.instance_id, i.id, null) || jsonb_build_object('remindedOn', new.performed_date, 'reminder', new.number))
    from invoice i where i.instance_id = new.instance_id and i.id = new.invoice_id;
  return null;
end $$;
create constraint trigger step_made_tells_webhooks after insert on collection_step deferrable initially deferred for each row
  when (new.type = 'REMINDER' and new.status = 'PERFORMED' and has_webhooks(new.instance_id)) execute function tell_of_reminder();
create constraint trigger step_moved_tells_webhooks after update of status on collection_step deferrable initially deferred for each row
  when (new.type = 'REMINDER' and new.status = 'PERFORMED' and old.status is distinct from new.status and has_webhooks(new.instance_id))
  execute function tell_of_reminder();

create function tell_of_credit_note() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.instance_id, new.creditor_id, 'invoice.credited', new.invoice_id,
    'invoice.credited:' || new.invoice_id || ':' || new.credit_note_number,
    webhook_data_of_invoice(new.instance_id, new.invoice_id, null) || jsonb_build_object('creditNote', new.credit_note_number,
      'credited', (select coalesce(abs(sum(p.amount_minor)), 0)::bigint * 0.01 from posting p
        join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'claims_on_debtors'
        where p.instance_id = new.instance_id and p.transaction_id = new.transaction_id)));
  return null;
end $$;
create constraint trigger credit_note_tells_webhooks after insert on credit_note deferrable initially deferred for each row
  when (has_webhooks(new.instance_id)) execute function tell_of_credit_note();

create function tell_of_claim() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(c.instance_id, c.creditor_id,
      'collection_batch.' || case when tg_op = 'INSERT' then 'opened' when new.status = 'DISPUTED' then 'disputed' else 'closed' end,
      c.id, null, jsonb_build_object('id', c.id, 'number', c.claim_number, 'status', new.status, 'total', c.total_minor * 0.01,
        'balance', c.balance_minor * 0.01, 'currency', c.currency))
    from claim c where c.instance_id = new.instance_id and c.id = new.id;
  return null;
end $$;
create constraint trigger claim_made_tells_webhooks after insert on claim deferrable initially deferred for each row
  when (has_webhooks(new.instance_id)) execute function tell_of_claim();
create constraint trigger claim_moved_tells_webhooks after update of status on claim deferrable initially deferred for each row
  when (old.status is distinct from new.status and new.status in ('CLOSED', 'STOPPED', 'DISPUTED') and has_webhooks(new.instance_id))
  execute function tell_of_claim();

-- Every share of a payment, whichever way it came, is one entry in the books, and so is what takes it back.
create function tell_of_payment() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(t.instance_id, coalesce(i.creditor_id, c.creditor_id),
      case new.kind when 'PAYMENT' then 'payment.completed' else 'payment.reversed' end, t.id, new.kind || ':' || new.cause,
      jsonb_build_object('id', t.id, 'status', case new.kind when 'PAYMENT' then 'COMPLETED' else 'REVERSED' end,
        'amount', (select coalesce(sum(p.amount_minor), 0)::bigint * 0.01 from posting p
          join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'clearing'
          where p.instance_id = t.instance_id and p.transaction_id = t.id),
        'currency', coalesce(i.currency, c.currency), 'number', coalesce(i.invoice_number, c.claim_number),
        'valueOn', coalesce(t.value_on, t.booked_on), 'invoiceId', t.invoice_id, 'collectionBatchId', t.claim_id))
    from ledger_transaction t
    left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
    left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
    where t.instance_id = new.instance_id and t.kind = 'PAYMENT'
      and t.cause = case new.kind when 'PAYMENT' then new.cause else substr(new.cause, length('reversal:') + 1) end
      and coalesce(i.creditor_id, c.creditor_id) is not null;
  return null;
end $$;
create constraint trigger payment_tells_webhooks after insert on ledger_transaction deferrable initially deferred for each row
  when ((new.kind = 'PAYMENT' or new.kind = 'REVERSAL' and new.cause like 'reversal:%') and has_webhooks(new.instance_id))
  execute function tell_of_payment();

create function tell_of_plan() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.instance_id, new.creditor_id, case tg_op when 'INSERT' then 'plan.started' else 'plan.ended' end,
    new.id, null, jsonb_build_object('id', new.id, 'number', new.number, 'status', new.status, 'amount', new.amount_minor * 0.01,
      'currency', new.currency));
  return null;
end $$;
create constraint trigger plan_made_tells_webhooks after insert on part_payment deferrable initially deferred for each row
  when (has_webhooks(new.instance_id)) execute function tell_of_plan();
create constraint trigger plan_moved_tells_webhooks after update of status on part_payment deferrable initially deferred for each row
  when (old.status = 'ACTIVE' and new.status <> 'ACTIVE' and has_webhooks(new.instance_id)) execute function tell_of_plan();

create function tell_of_dispute() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.instance_id, coalesce(i.creditor_id, c.creditor_id), 'dispute.decided', new.id,
      'dispute.decided:' || new.id, jsonb_build_object('id', new.id, 'status', new.status, 'number',
        coalesce(i.invoice_number, c.claim_number), 'invoiceId', new.invoice_id, 'collectionBatchId', new.claim_id,
        'balance', coalesce(i.balance_minor, c.balance_minor) * 0.01, 'currency', coalesce(i.currency, c.currency)))
    from (select 1) one
    left join invoice i on i.instance_id = new.instance_id and i.id = new.invoice_id
    left join claim c on c.instance_id = new.instance_id and c.id = new.claim_id;
  return null;
end $$;
create constraint trigger dispute_tells_webhooks after update of status on dispute deferrable initially deferred for each row
  when (old.status = 'OPEN' and new.status in ('REJECTED', 'UPHELD', 'UPHELD_PART') and has_webhooks(new.instance_id))
  execute function tell_of_dispute();

create function tell_of_import() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(m.instance_id, m.creditor_id, 'import.completed', m.id, null,
      jsonb_build_object('id', m.id, 'status', m.status, 'rows', m.row_count, 'wrong', m.wrong_count, 'invoices', m.invoice_count,
        'made', m.made_count))
    from import m where m.instance_id = new.instance_id and m.id = new.id;
  return null;
end $$;
create constraint trigger import_tells_webhooks after update of status, work on import deferrable initially deferred for each row
  when (old.work = 'CONFIRM' and new.work is null and new.status = 'CONFIRMED' and has_webhooks(new.instance_id))
  execute function tell_of_import();
