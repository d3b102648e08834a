-- What a public session sees besides the item that its pair names: the debts of the creditor whose letter was proved, at that
-- zip; or, where the instance says so, everything of the debtor at this instance.
alter table instance add column public_session_reach text not null default 'creditor'
  check (public_session_reach in ('creditor', 'instance'));
-- Instances for tests and demos keep what they showed.
update instance set public_session_reach = 'instance' where mode = 'test';
grant update (public_session_reach) on instance to kvitt_app;
