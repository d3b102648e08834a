-- The operator's VAT invoice with each settlement that has fees (staff.md 6), numbered in one series of the provider.
create table vat_invoice_series (
  instance_id uuid primary key references instance (id),
  -- Locked by whoever takes the next: a number that is taken is on an invoice.
  last integer not null check (last > 0)
);

create table vat_invoice (
  instance_id uuid not null,
  settlement_id uuid not null,
  number integer not null check (number > 0),
  issued_on date not null,
  -- Who sells and who buys, as they were called that day: an invoice does not change. What it charges are the settlement's lines.
  seller jsonb not null,
  buyer jsonb not null,
  primary key (instance_id, settlement_id),
  unique (instance_id, number),
  foreign key (instance_id, settlement_id) references settlement (instance_id, id)
);
create trigger vat_invoice_append_only before update or delete or truncate on vat_invoice
  for each statement execute function refuse_change();
grant select, insert on vat_invoice, vat_invoice_series to kvitt_app;
grant update (last) on vat_invoice_series to kvitt_app;

create function is_operators_fee(kind text) returns boolean immutable parallel safe language sql
  return kind in ('COMMISSION', 'COMMISSION_ON_DIRECT', 'PAYMENT_PRICE', 'CASE_PRICE', 'DEBTOR_FEE');

-- Those that were settled before are issued today: their creditors have none.
insert into vat_invoice (instance_id, settlement_id, number, issued_on, seller, buyer)
select s.instance_id, s.id, row_number() over (partition by s.instance_id order by s.counted_at, s.id),
  (now() at time zone n.time_zone)::date,
  jsonb_build_object('name', n.name, 'number', n.identification_number, 'country', n.country, 'address', jsonb_build_array(n.postal_address)),
  jsonb_build_object('name', c.name, 'number', c.identification_number, 'country', c.country,
    'address', jsonb_build_array(c.address, c.address2, concat_ws(' ', c.zip, c.city)))
from settlement s
join instance n on n.id = s.instance_id
join creditor c on c.instance_id = s.instance_id and c.id = s.creditor_id
where s.counted_at is not null and exists (select from settlement_line l
  where l.instance_id = s.instance_id and l.settlement_id = s.id and is_operators_fee(l.kind));
insert into vat_invoice_series (instance_id, last) select instance_id, max(number) from vat_invoice group by 1;

-- Each settlement with fees has its invoice, no other has, and no number of the series is left out.
create view inv_i45_vat_invoices_are_whole as
  select s.instance_id, s.id as settlement_id, 'missing' as violation from settlement s
  where s.counted_at is not null
    and exists (select from settlement_line l where l.instance_id = s.instance_id and l.settlement_id = s.id and is_operators_fee(l.kind))
    and not exists (select from vat_invoice v where v.instance_id = s.instance_id and v.settlement_id = s.id)
  union all
  select v.instance_id, v.settlement_id, 'of no fee' from vat_invoice v
  where not exists (select from settlement_line l
    where l.instance_id = v.instance_id and l.settlement_id = v.settlement_id and is_operators_fee(l.kind))
  union all
  select n.id, null, 'left out' from instance n
  left join vat_invoice_series r on r.instance_id = n.id
  where coalesce(r.last, 0) <> (select count(*) from vat_invoice v where v.instance_id = n.id);
grant select on inv_i45_vat_invoices_are_whole to kvitt_app;
