-- One act for many rows can wait, and be taken back until somebody has begun with it. Each row keeps what it came to when it was
-- asked for, so that it can be said what was done.
alter table bulk_act add column due_at timestamptz;
alter table bulk_act add column begun_at timestamptz;
alter table bulk_act add column taken_back_at timestamptz;
alter table bulk_act add check (taken_back_at is null or (due_at is not null and begun_at is null and ended_at is not null));
grant update (begun_at, taken_back_at) on bulk_act to kvitt_app;

alter table bulk_row drop constraint bulk_row_state_check;
alter table bulk_row add constraint bulk_row_state_check check (state in ('LEFT', 'DONE', 'REFUSED', 'TAKEN_BACK'));
alter table bulk_row add column minor bigint;
alter table bulk_row add column currency text;
