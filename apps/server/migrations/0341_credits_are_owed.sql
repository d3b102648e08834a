-- What a debtor has paid too much is owed to that debtor: a credit is below zero in the books, or nothing. Above zero, more went back
-- than had come: such as what another debtor was owed. So is what stands on a creditor's own account.
create view inv_i38_credits_are_owed_to_debtors as
  select instance_id, id as account_id, kind, debtor_id, creditor_id, currency, balance_minor
  from ledger_account where kind in ('credit', 'credit_at_creditor') and balance_minor > 0;
grant select on inv_i38_credits_are_owed_to_debtors to kvitt_app;
