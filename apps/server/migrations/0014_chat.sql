-- How a provider's chat is shown: its scripts run in the page and come from the listed hosts only, or it stands in
-- a frame of its own. A code of Google Analytics 4 is the only kind that is understood.

alter table instance
  add column chat_mode text not null default 'page' check (chat_mode in ('page', 'frame')),
  add column chat_hosts text[] not null default '{}'
    check (array_to_string(chat_hosts, ',') ~ '^([a-z0-9-]+(\.[a-z0-9-]+)+(,|$))*$'),
  add constraint instance_analytics_code check (analytics_code ~ '^G-[A-Z0-9]{4,16}$');
