-- How far the demo's firm is made: the background of the cast, which the product lives through behind its start. One row, and none
-- where the demo is without it.
create table demo_firm (
  is_only boolean primary key default true check (is_only),
  -- The day on which the demo was made: the firm's days count from it, however the demo's clock is moved meanwhile.
  today date not null,
  -- The day of the firm's past that is lived through next.
  next_day date not null,
  made_at timestamptz
);
grant select, insert on demo_firm to kvitt_app;
grant update (next_day, made_at) on demo_firm to kvitt_app;
