-- The ways to log in that an instance offers; none closes its portal. A way also has to be configured.
alter table instance add column logins text[] not null default '{PAYMENT_REFERENCE,BANKID}'
  check (logins <@ array['PAYMENT_REFERENCE', 'BANKID']);
