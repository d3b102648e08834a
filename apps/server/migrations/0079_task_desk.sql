-- Who looks after a task, and until when it is put aside. What was before is in the audit log.
alter table task
  add column assignee text check (assignee ~ '[^[:space:]]' and length(assignee) <= 60),
  add column snoozed_until date;
grant update (assignee, snoozed_until) on task to kvitt_app;

-- What people write beside a task for one another. Only added to; the same words of the same person are there once.
create table task_note (
  instance_id uuid not null,
  id uuid not null,
  task_id uuid not null,
  text text not null check (text ~ '[^[:space:]]' and length(text) <= 1000),
  noted_by text not null check (noted_by ~ '[^[:space:]]'),
  noted_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, task_id) references task (instance_id, id)
);
create unique index task_note_once on task_note (instance_id, task_id, noted_by, md5(text));
grant select, insert on task_note to kvitt_app;
create trigger task_note_append_only before update or delete or truncate on task_note
  for each statement execute function refuse_change();
