-- invoice_number_once takes its place.
alter table invoice drop constraint if exists invoice_instance_id_creditor_id_type_invoice_number_key;
