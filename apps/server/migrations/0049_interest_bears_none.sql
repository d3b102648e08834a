-- Interest bears no interest (domain: on principal only): what interest invoices brought into a claim as its principal is
-- left out when the claim's interest is counted.

alter table claim add column interest_free_minor bigint not null default 0;
comment on column claim.interest_free_minor is 'of the principal that joined, what interest invoices were over';

update claim c set interest_free_minor = n.minor
from (
  select t.instance_id, t.claim_id, sum(p.amount_minor) as minor
  from ledger_transaction t
  join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id and i.type = 'INTEREST_INVOICE'
  join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
  join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.claim_id = t.claim_id
    and a.kind = 'principal'
  where t.kind = 'TRANSFER_TO_CLAIM'
  group by 1, 2) n
where c.instance_id = n.instance_id and c.id = n.claim_id;
