-- Who decided a dispute, and that it was upheld in part only.

alter table dispute add column decided_by text check (decided_by <> '');
alter table dispute drop constraint dispute_status_check;
alter table dispute add constraint dispute_status_check
  check (status in ('OPEN', 'REJECTED', 'UPHELD', 'UPHELD_PART', 'PAID'));
grant update (decided_by) on dispute to kvitt_app;
