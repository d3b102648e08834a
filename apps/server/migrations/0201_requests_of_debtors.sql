-- A debtor asks for more time, or says that the money has been paid: a conversation that a decision answers.
alter table conversation
  drop constraint conversation_kind_check,
  add constraint conversation_kind_check check (kind in ('QUESTION', 'MORE_TIME', 'SAID_PAID')),
  -- MORE_TIME: the last day that is asked for. SAID_PAID: the day on which it was paid.
  add column wished_on date,
  -- SAID_PAID: how much, and how.
  add column wished_minor bigint check (wished_minor > 0),
  add column wished_how text check (wished_how in ('BANK', 'SWISH', 'CASH', 'OTHER')),
  -- The debt was paused for it; the answer lets it go on.
  add column rests boolean not null default false,
  -- What was decided, with the day or the amount of it. TRACING is no end: the creditor looks for the money.
  add column outcome text check (outcome in ('GRANT', 'DECLINE', 'FOUND', 'TRACING', 'NOT_FOUND')),
  add column outcome_on date,
  add column outcome_minor bigint check (outcome_minor > 0),
  -- Within the creditor's bounds: nobody had to be asked.
  add column by_rule boolean not null default false,
  add check ((kind = 'QUESTION') = (wished_on is null)),
  add check ((kind = 'SAID_PAID') = (wished_minor is not null)),
  add check ((kind = 'SAID_PAID') = (wished_how is not null)),
  add check (kind <> 'QUESTION' or outcome is null);
grant update (outcome, outcome_on, outcome_minor) on conversation to kvitt_app;

-- A request needs no words beside what it asks for.
alter table conversation_message
  drop constraint conversation_message_text_check,
  add constraint conversation_message_text_check check (length(text) <= 4000);

-- How far a creditor's debtors are granted what they ask for without anybody being asked. Without a row the usual bounds hold.
create table creditor_bounds (
  instance_id uuid not null,
  creditor_id uuid not null,
  -- Days of more time, from the last day or from today, whichever is later. 0: a person decides.
  most_days integer not null check (most_days between 0 and 90),
  primary key (instance_id, creditor_id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
grant select, insert on creditor_bounds to kvitt_app;
grant update (most_days) on creditor_bounds to kvitt_app;
