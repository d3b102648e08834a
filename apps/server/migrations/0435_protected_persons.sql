-- compatible: yes
-- Whose identity is protected (M-36), and who may not act for themselves (M-37). An older process takes neither, and goes on showing addresses:
-- flags of these kinds are set once all processes are of a release that knows them (docs/operations.md).
-- keeps: constraint debtor_flag_kind_check on debtor_flag, because it takes three kinds more
alter table debtor_flag drop constraint debtor_flag_kind_check;
alter table debtor_flag add constraint debtor_flag_kind_check
  check (kind in ('DECEASED', 'BANKRUPT', 'DEBT_RELIEF', 'PROTECTED', 'MINOR', 'GUARDIAN'));

-- Asked with every pair of reference and zip, and with every row that shows a person's address: few, and found at once.
create index debtor_flag_protects on debtor_flag (instance_id, debtor_id) where ended_on is null and kind = 'PROTECTED';
create view protected_debtor as
  select instance_id, debtor_id from debtor_flag where ended_on is null and kind = 'PROTECTED';
grant select on protected_debtor to kvitt_app;

-- A protected person's debts do not rest: what is hidden is where they live.
create or replace view resting_debtor as
  select instance_id, debtor_id from debtor_flag
  where ended_on is null and answer is distinct from 'GO_ON' and kind <> 'PROTECTED';
create or replace view rest_over as
  select instance_id, debtor_id, case when answer = 'GO_ON' then answered_on else ended_on end as over_on from debtor_flag
  where (answer = 'GO_ON' or ended_on is not null) and kind <> 'PROTECTED';
