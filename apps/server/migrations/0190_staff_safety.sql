-- Every session of one sign-in: a code that comes a second time ends what it was exchanged for (RFC 6749, 4.1.2).
alter table staff_session add column grant_id text;
create index staff_session_grant on staff_session (instance_id, grant_id) where grant_id is not null;

-- The link of an invitation proves somebody: it is no longer kept once it has been sent.
grant update (text_body, html_body) on mail_outbox to kvitt_app;

-- A program repeats a call within minutes: its keys are kept for a month.
grant delete on staff_key to kvitt_app;
create index staff_key_made on staff_key (made_at);

alter table guess_budget drop constraint guess_budget_scope_check;
alter table guess_budget add constraint guess_budget_scope_check check (scope in
  ('reference-day', 'reference-month', 'zip', 'network', 'instance', 'site', 'pass', 'challenge', 'message-check',
   'article-answer', 'staff-sign-in', 'staff-sign-in-begun', 'staff-invited', 'staff-forgotten'));

alter table membership
  -- When its person has last signed in to it; sessions themselves are forgotten.
  add column signed_in_at timestamptz,
  -- What whoever invited them called them: until they have come here themselves nobody here learns more of them.
  add column invited_name text check (length(invited_name) <= 200);
grant update (signed_in_at) on membership to kvitt_app;
update membership m set signed_in_at = s.at
from (select instance_id, membership_id, max(signed_in_at) as at from staff_session group by 1, 2) s
where m.instance_id = s.instance_id and m.id = s.membership_id;
