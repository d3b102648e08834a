-- A debtor without an identification number is known to one creditor only, and by more than a name and a zip: until now one
-- name and zip was one debtor. Those with a street and invoices of one creditor are found again under the new rule
-- (debtorIdentity); the others keep what they have, and nothing that is imported from now on is added to them.
update debtor d
set identity = 'address:' || encode(sha256(convert_to(concat_ws(E'\n', 'address', known.creditor, d.country, d.zip,
    substr(d.identity, length(d.country || ':name:' || d.zip || ':') + 1),
    btrim(regexp_replace(lower(normalize(d.address, nfkc)), '\s+', ' ', 'g')),
    btrim(regexp_replace(lower(normalize(coalesce(d.address2, ''), nfkc)), '\s+', ' ', 'g'))), 'UTF8')), 'hex')
from (
  select i.instance_id, i.debtor_id, min(c.identity) as creditor
  from invoice i
  join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
  group by i.instance_id, i.debtor_id
  having count(distinct i.creditor_id) = 1) known
where known.instance_id = d.instance_id and known.debtor_id = d.id
  and starts_with(d.identity, d.country || ':name:' || d.zip || ':') and d.address ~ '[[:alnum:]]';
