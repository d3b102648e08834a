-- PLAN: what the debtor was shown and agreed to by asking, and through what it asked. Never changed afterwards; null of those that were
-- asked before, which nobody can accept any more.
alter table conversation
  add column shown jsonb,
  add constraint conversation_shown_check check (shown is null or kind = 'PLAN');
