-- What a creditor was paid itself for a claim.
alter table direct_payment
  alter column invoice_id drop not null,
  add column claim_id uuid,
  add foreign key (instance_id, claim_id) references claim (instance_id, id),
  add check (num_nonnulls(invoice_id, claim_id) = 1);
create index direct_payment_claim on direct_payment (instance_id, claim_id);
