-- What is booked or given up by hand: taken back, moved, written off. One person of an operator does it up to the limit for a debtor
-- and a day; above it another decides (staff.md 1: four eyes), and the proposal is named.
create table manual_posting (
  instance_id uuid not null references instance (id),
  id uuid not null,
  kind text not null check (kind in ('REVERSAL', 'MOVE', 'WRITE_OFF')),
  -- What a command did, or a placement of money that had been moved, counts for the limit and is not held by it.
  way text not null check (way in ('PORTAL', 'COMMAND', 'PLACEMENT')),
  -- The gateway's payment, the line of a bank's file, or the debt, such as claim:{id}.
  about text not null check (about <> ''),
  debtor_id uuid not null,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor > 0),
  booked_on date not null,
  -- Null: one person alone.
  proposal_id uuid check (proposal_id is null or way = 'PORTAL'),
  posted_at timestamptz not null default clock_timestamp(),
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id)
);
create index manual_posting_of_day on manual_posting (instance_id, debtor_id, currency, booked_on);
create index manual_posting_about on manual_posting (instance_id, about);
grant select, insert on manual_posting to kvitt_app;
create trigger manual_posting_append_only before update or delete or truncate on manual_posting
  for each statement execute function refuse_change();

-- What has gone back to debtors, or is going: by a gateway at a moment, by the bank on a day.
create view sent_back_to_debtor as
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
  where m.about like 'refund:%' and m.returned_on is null and m.back_line_id is null;
grant select on sent_back_to_debtor to kvitt_app;

-- Nobody alone goes above the limit (refunds/refund.ts, mostByOnePerson), however many times they begin, and each deed counts. Of
-- what commands and gateways do beside it, only what was there a minute before: they wait for no lock of it.
create view inv_i51_hands_keep_the_limit as
  select m.instance_id, m.id as manual_posting_id, m.debtor_id, 'above the limit' as violation
  from manual_posting m
  cross join lateral (select coalesce(sum(p.amount_minor), 0) as minor from manual_posting p
    where p.instance_id = m.instance_id and p.debtor_id = m.debtor_id and p.currency = m.currency and p.booked_on = m.booked_on
      and (p.posted_at, p.id) <= (m.posted_at, m.id)
      and (p.way = 'PORTAL' or p.posted_at < m.posted_at - interval '1 minute')) hand
  cross join lateral (select coalesce(sum(s.amount_minor), 0) as minor from sent_back_to_debtor s
    where s.instance_id = m.instance_id and s.debtor_id = m.debtor_id and s.currency = m.currency
      and s.sent_at > m.posted_at - interval '24 hours' and s.sent_at < m.posted_at - interval '1 minute') back
  where m.way = 'PORTAL' and m.proposal_id is null
    and hand.minor + back.minor > case when m.currency in ('SEK', 'NOK', 'DKK') then 500000 else 50000 end
  union all
  select m.instance_id, m.id, m.debtor_id, 'not approved' from manual_posting m
  join proposal r on r.instance_id = m.instance_id and r.id = m.proposal_id
  where r.status <> 'APPROVED'
  union all
  select e.instance_id, null, null, 'no row' from audit_event e
  join membership b on b.instance_id = e.instance_id and b.creditor_id is null and e.actor = 'person:' || b.person_id || ':' || b.id
  where e.kind in ('payment_moved', 'payment_reversed', 'debt_written_off')
    and not exists (select from manual_posting m where m.instance_id = e.instance_id
      and m.about = split_part(e.about, ':', 1) || ':' || split_part(e.about, ':', 2)
      and m.kind = case e.kind when 'payment_moved' then 'MOVE' when 'payment_reversed' then 'REVERSAL' else 'WRITE_OFF' end
      and m.posted_at between e.at - interval '10 minutes' and e.at + interval '10 minutes');
grant select on inv_i51_hands_keep_the_limit to kvitt_app;
