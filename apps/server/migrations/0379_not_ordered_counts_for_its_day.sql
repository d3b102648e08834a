-- As before (0376). What is said to be not ordered counts for the day on which that is said too, when it was ordered on another.
create or replace view sent_back_to_debtor as
  select r.instance_id, coalesce(c.debtor_id, i.debtor_id) as debtor_id, r.currency, r.amount_minor, r.created_at as sent_at,
    null::date as ordered_on
  from refund r
  join payment p on p.instance_id = r.instance_id and p.id = r.payment_id
  left join lateral (select g.invoice_id, g.claim_id from ledger_transaction g where g.instance_id = r.instance_id
    and g.cause in (r.about, 'refund:' || r.about) and num_nonnulls(g.invoice_id, g.claim_id) > 0
    order by g.cause like 'refund:%' desc limit 1) o on true
  left join claim c on c.instance_id = p.instance_id
    and c.id = coalesce(o.claim_id, case when o.invoice_id is null then p.claim_id end)
  left join invoice i on i.instance_id = p.instance_id
    and i.id = coalesce(o.invoice_id, case when o.claim_id is null then p.invoice_id end)
  where r.status <> 'FAILED'
  union all
  select m.instance_id, coalesce(c.debtor_id, i.debtor_id), m.currency, m.amount_minor, null, m.ordered_on
  from money_out m
  join ledger_transaction g on g.instance_id = m.instance_id and g.cause = 'refunded:' || substring(m.about from 8)
  left join invoice i on i.instance_id = g.instance_id and i.id = g.invoice_id
  left join claim c on c.instance_id = g.instance_id and c.id = g.claim_id
  where m.about like 'refund:%' and (m.returned_on is null or m.by_hand) and m.back_line_id is null
  union all
  select m.instance_id, coalesce(c.debtor_id, i.debtor_id), m.currency, m.amount_minor, null, m.said_not_ordered_on
  from money_out m
  join ledger_transaction g on g.instance_id = m.instance_id and g.cause = 'refunded:' || substring(m.about from 8)
  left join invoice i on i.instance_id = g.instance_id and i.id = g.invoice_id
  left join claim c on c.instance_id = g.instance_id and c.id = g.claim_id
  where m.about like 'refund:%' and m.said_not_ordered_on <> m.ordered_on;
