-- What our OpenID provider remembers between two requests of one sign-in: interactions, codes, its own sessions. Names of things
-- that prove somebody are kept as hashes. An access token is a row of staff_session instead.
create table oidc_item (
  instance_id uuid not null references instance (id),
  model text not null check (length(model) <= 40),
  id_hash bytea not null,
  payload jsonb not null,
  uid text,
  grant_id text,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (instance_id, model, id_hash)
);
create index oidc_item_uid on oidc_item (instance_id, model, uid) where uid is not null;
create index oidc_item_grant on oidc_item (instance_id, grant_id) where grant_id is not null;
create index oidc_item_expires on oidc_item (expires_at);
grant select, insert, update, delete on oidc_item to kvitt_app;

-- How often a password was tried: for one account, and from one network.
alter table guess_budget drop constraint guess_budget_scope_check;
alter table guess_budget add constraint guess_budget_scope_check check (scope in
  ('reference-day', 'reference-month', 'zip', 'network', 'instance', 'site', 'pass', 'challenge', 'message-check',
   'article-answer', 'staff-sign-in'));
