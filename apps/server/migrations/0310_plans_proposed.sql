-- A debtor proposes a plan of its own: a conversation that a decision answers, or another plan of the creditor's.
alter table conversation
  drop constraint conversation_kind_check,
  add constraint conversation_kind_check check (kind in ('QUESTION', 'MORE_TIME', 'SAID_PAID', 'PLAN')),
  drop constraint conversation_status_check,
  -- COUNTERED: the debtor has to answer.
  add constraint conversation_status_check check (status in ('OPEN', 'COUNTERED', 'ANSWERED', 'ENDED')),
  drop constraint conversation_outcome_check,
  add constraint conversation_outcome_check check (outcome in
    ('GRANT', 'DECLINE', 'FOUND', 'TRACING', 'NOT_FOUND', 'ACCEPT', 'COUNTER', 'COUNTER_DECLINED', 'LAPSED', 'WITHDRAWN')),
  drop constraint conversation_check2,
  -- SAID_PAID: what was paid. PLAN: what is paid a month, and wished_on is the day of the first instalment.
  add constraint conversation_amount_check check ((kind in ('SAID_PAID', 'PLAN')) = (wished_minor is not null)),
  -- The last day on which the debtor can answer the creditor's own plan.
  add column counter_until date,
  add constraint conversation_counter_check check (status <> 'COUNTERED' or kind = 'PLAN' and counter_until is not null
    and outcome = 'COUNTER' and outcome_on is not null and outcome_minor is not null);
grant update (counter_until) on conversation to kvitt_app;
drop index conversation_open;
create unique index conversation_open on conversation (instance_id, debt_id, kind) where status in ('OPEN', 'COUNTERED');
create index conversation_countered on conversation (instance_id, counter_until) where status = 'COUNTERED';

-- What was agreed on is a setting of its own that nobody else is offered: of one conversation there is one plan.
alter table part_payment_setting
  add column conversation_id uuid,
  add column monthly_minor bigint check (monthly_minor > 0),
  -- Days from the start to the first instalment.
  add column first_in_days smallint check (first_in_days between 1 and 120),
  add foreign key (instance_id, conversation_id) references conversation (instance_id, id),
  add check (num_nonnulls(conversation_id, monthly_minor, first_in_days) in (0, 3)),
  add check (conversation_id is null or not is_offered and months is not null);
create unique index part_payment_setting_agreed on part_payment_setting (instance_id, conversation_id)
  where conversation_id is not null;
drop index part_payment_setting_once;
create unique index part_payment_setting_once on part_payment_setting
  (instance_id, creditor_id, code, valid_from) nulls not distinct where conversation_id is null;

-- Instalments of a debtor's own plan that are agreed to by rule, where the creditor offers one as long itself. 0: a person decides.
alter table creditor_bounds
  add column plan_months smallint not null default 12 check (plan_months between 0 and 60);
grant update (plan_months) on creditor_bounds to kvitt_app;

create or replace function end_conversations() returns trigger language plpgsql as $$
begin
  with ended as (
    update conversation set status = 'ENDED'
    where instance_id = new.instance_id and debt_id = new.id and status in ('OPEN', 'COUNTERED') returning id)
  update task set done_at = now() from ended
  where task.instance_id = new.instance_id and task.kind in ('question_asked', 'more_time_asked', 'said_paid', 'plan_proposed')
    and task.about = 'conversation:' || ended.id and task.done_at is null;
  return null;
end $$;

-- What is disputed, paid in parts already or asked for in a claim cannot have another plan: what was proposed ends.
create function end_proposed_plans() returns trigger language plpgsql as $$
begin
  with ended as (
    update conversation set status = 'ENDED'
    where instance_id = new.instance_id and debt_id = new.id and kind = 'PLAN' and status in ('OPEN', 'COUNTERED') returning id)
  update task set done_at = now() from ended
  where task.instance_id = new.instance_id and task.kind = 'plan_proposed'
    and task.about = 'conversation:' || ended.id and task.done_at is null;
  return null;
end $$;
create trigger invoice_ends_proposed_plans after update of status, is_part_payment, claim_id on invoice for each row
  when (new.status = 'DISPUTED' and old.status <> 'DISPUTED' or new.is_part_payment and not old.is_part_payment
    or new.claim_id is not null and old.claim_id is null)
  execute function end_proposed_plans();
create trigger claim_ends_proposed_plans after update of status, is_part_payment on claim for each row
  when (new.status = 'DISPUTED' and old.status <> 'DISPUTED' or new.is_part_payment and not old.is_part_payment)
  execute function end_proposed_plans();
