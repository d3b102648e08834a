-- A task is what a person has to decide or do. It is made once for its cause (kind and about) and ends when the cause is
-- gone. The kinds are the closed list of packages/domain/src/tasks/task-kind.ts.

alter table operator_task rename to task;
alter table task rename constraint operator_task_pkey to task_pkey;
alter table task rename constraint operator_task_instance_id_kind_about_key to task_instance_id_kind_about_key;

create index task_open on task (instance_id, kind, created_at) where done_at is null;
