-- The day on which a task was made, in its instance's zone and by the product's clock: its time to act counts from there.
-- And when its cause was last met: what has not been met since a run that would have met it is gone.

alter table task add made_on date;
alter table task add met_at timestamptz not null default now();

update task t set made_on = (t.created_at at time zone i.time_zone)::date, met_at = t.created_at
from instance i where i.id = t.instance_id;

alter table task alter made_on set not null;

grant update (details, made_on, met_at) on task to kvitt_app;
