-- What a debt bore between the last posting of interest and the start of its plan is billed as that of any late payment (D-28).

alter table late_days add column by_plan boolean not null default false;
comment on column late_days.by_plan is
  'all that was owed until a plan took it up: what is owed today comes on other days, and not on top of it';
