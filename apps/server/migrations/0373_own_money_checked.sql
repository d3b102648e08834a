-- The rows from before 0370 and 0371, which are read while others write. A check that is not valid yet holds for new rows.
alter table ledger_account validate constraint ledger_account_kind;
alter table ledger_account validate constraint ledger_account_of_creditor;
alter table bank_line validate constraint bank_line_payer;
alter table payout validate constraint payout_is_one_of_two;
alter table money_out validate constraint money_out_by_hand;
