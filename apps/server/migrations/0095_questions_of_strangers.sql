-- The homepage answers whether a message is from here, and the support site counts whether an article helped. Anybody may ask, so
-- both have a budget for an hour (sign-in/budgets.ts), kept where those of guesses are and forgotten with them.

alter table guess_budget drop constraint guess_budget_scope_check;
alter table guess_budget add constraint guess_budget_scope_check check (scope in
  ('reference-day', 'reference-month', 'zip', 'network', 'instance', 'site', 'pass', 'challenge', 'message-check',
   'article-answer'));

-- In the demo everybody comes from one address.
update instance set guess_limits = guess_limits || '{"questionsPerHour": null}'
  where exists (select from demo_cast);

-- How often an article of the support site helped and did not, by day. It says nothing of who answered.
create table article_answer (
  instance_id uuid not null references instance,
  day date not null,
  topic text not null check (topic ~ '^[a-z0-9-]{1,60}$'),
  language text not null check (language in ('sv', 'en', 'nb', 'da', 'fi')),
  helped boolean not null,
  answers integer not null check (answers > 0),
  primary key (instance_id, day, topic, language, helped)
);
grant select, insert on article_answer to kvitt_app;
grant update (answers) on article_answer to kvitt_app;
