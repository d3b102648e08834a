-- A kind of stop, or of recall, and 500 characters of note beside it were one reason that was too long: the act failed.
alter table audit_event drop constraint audit_event_reason_check;
alter table audit_event add constraint audit_event_reason_check check (length(reason) <= 600) not valid;
alter table audit_event validate constraint audit_event_reason_check;
