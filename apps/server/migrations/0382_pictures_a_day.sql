-- A provider's managers send so many pictures in a day: each is decoded, and decoding takes memory and time of everybody.
alter table guess_budget drop constraint guess_budget_scope_check;
alter table guess_budget add constraint guess_budget_scope_check check (scope in
  ('reference-day', 'reference-month', 'zip', 'network', 'instance', 'site', 'pass', 'challenge', 'message-check',
   'article-answer', 'staff-sign-in', 'staff-sign-in-begun', 'staff-invited', 'staff-forgotten', 'picture'));
