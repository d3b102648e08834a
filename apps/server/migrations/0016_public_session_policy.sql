-- What an instance keeps from public sessions, for which reference and zip are all there is to know (D-07): the
-- debtor's other items, documents, disputes, plans. Empty by default: everything is allowed.
alter table instance add column public_session_policy text[] not null default '{}'
  check (public_session_policy <@ array['lists', 'documents', 'disputes', 'plans']);
