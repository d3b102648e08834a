-- A letter that nobody takes has not been sent either: its step is held until a person has mended what kept it here.

create index collection_step_held on collection_step (instance_id, debt_id) where status = 'ON_HOLD';

-- As before (0032), and what is dead was not sent.
create or replace view inv_i22_unsent_letters_cost_nothing as
  select m.instance_id, m.step_id, 'dropped' as violation
  from mail_outbox m join collection_step s on s.instance_id = m.instance_id and s.id = m.step_id
  where m.status in ('DROPPED', 'DEAD') and s.status = 'PERFORMED'
    and s.type in ('REMINDER', 'COLLECTION_NOTIFICATION', 'COLLECTION_CLAIM')
  union all
  select t.instance_id, s.id, 'taken back'
  from ledger_transaction t
  join collection_step s on s.instance_id = t.instance_id and t.cause = 'unsent:' || s.id
  where s.status = 'PERFORMED';
