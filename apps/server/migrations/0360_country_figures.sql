-- Rates, fees and ceilings of the law that two people of a provider have entered, beside those that the product knows. A row is never
-- changed or removed: of two for the same figure and day the later one counts.
create table country_figure (
  instance_id uuid not null references instance (id),
  id uuid not null,
  country char(2) not null check (country ~ '^[A-Z]{2}$'),
  -- As the domain names it, such as reference_rate.
  figure text not null check (figure ~ '^[A-Za-z_.]{1,80}$'),
  from_day date not null,
  value jsonb not null check (jsonb_typeof(value) = 'object' and length(value::text) <= 4000),
  -- The law or publication that says so.
  source text not null check (source <> '' and length(source) <= 500),
  -- Who entered it, who agreed, and when.
  proposal_id uuid not null,
  position bigint generated always as identity,
  agreed_at timestamptz not null default now(),
  primary key (instance_id, id),
  unique (instance_id, proposal_id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id)
);
create index country_figure_in_order on country_figure (instance_id, position);
create trigger country_figure_append_only before update or delete or truncate on country_figure
  for each statement execute function refuse_change();
grant select, insert on country_figure to kvitt_app;
