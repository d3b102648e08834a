-- What a bank says that money was ordered as (EndToEndId), where it is an id of ours: then it needs no reference to be known.

alter table bank_line add column named_payment_id uuid;
-- Same money, told twice: by a bank's file and by its gateway.
create index bank_line_unlinked on bank_line (instance_id, amount_minor, bank_date)
  where payment_id is null and kind = 'PAYMENT' and status in ('BOOKED', 'SUSPENSE');
create index payment_reference_at_bank on payment (instance_id, payment_reference) where gateway = 'DIRECT_BANK';
