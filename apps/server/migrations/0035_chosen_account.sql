-- Which of an instance's own accounts is shown when several take a currency: the one that was chosen last. Money that
-- comes to the others is still taken in.
alter table payment_account add column chosen_at timestamptz not null default now();
grant update (receiver_name, bank_name, bic, currency, chosen_at) on payment_account to kvitt_app;
