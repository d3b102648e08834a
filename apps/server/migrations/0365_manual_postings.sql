-- What people of an operator book or give up by hand: taken back, moved, written off. One person does it up to the limit for a
-- debtor and a day; above it another decides (staff.md 1: four eyes), and the proposal is named.
create table manual_posting (
  instance_id uuid not null references instance (id),
  id uuid not null,
  kind text not null check (kind in ('REVERSAL', 'MOVE', 'WRITE_OFF')),
  -- The proposal, payment or debt, such as claim:{id}.
  about text not null check (about <> ''),
  debtor_id uuid not null,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor > 0),
  booked_on date not null,
  -- Null: one person alone.
  proposal_id uuid,
  posted_at timestamptz not null default clock_timestamp(),
  primary key (instance_id, id),
  foreign key (instance_id, debtor_id) references debtor (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id)
);
create index manual_posting_of_day on manual_posting (instance_id, debtor_id, currency, booked_on);
grant select, insert on manual_posting to kvitt_app;

-- Nobody alone goes above the limit (refunds/refund.ts, mostByOnePerson), however many times they begin.
create view inv_i51_hands_keep_the_limit as
  select m.instance_id, m.id as manual_posting_id, m.debtor_id, 'above the limit' as violation
  from (select p.*, sum(p.amount_minor) over (partition by p.instance_id, p.debtor_id, p.currency, p.booked_on
      order by p.posted_at, p.id) as so_far from manual_posting p) m
  where m.proposal_id is null and m.so_far > case when m.currency in ('SEK', 'NOK', 'DKK') then 500000 else 50000 end
  union all
  select m.instance_id, m.id, m.debtor_id, 'not approved' from manual_posting m
  join proposal r on r.instance_id = m.instance_id and r.id = m.proposal_id
  where r.status <> 'APPROVED';
grant select on inv_i51_hands_keep_the_limit to kvitt_app;
