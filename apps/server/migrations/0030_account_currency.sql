-- An account of the instance that takes money of one currency only. Null: any that its form takes, which for a bankgiro
-- or plusgiro without IBAN is kronor.
alter table payment_account add column currency char(3);
