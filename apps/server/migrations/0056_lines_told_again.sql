-- One account may be told of in several formats: BgMax or OCR giro beside camt. A line that another format has told of is REPEATED:
-- it is the same money as the line (or the deposit that begins with the line) `repeats_id`, and stands nowhere in the books.

alter table bank_line drop constraint bank_line_status_check;
alter table bank_line add constraint bank_line_status_check
  check (status in ('WAITING', 'BOOKED', 'KNOWN', 'SUSPENSE', 'REVERSED', 'SENT_BACK', 'REPEATED'));
alter table bank_line add column repeats_id uuid;
alter table bank_line add foreign key (instance_id, repeats_id) references bank_line (instance_id, id);
alter table bank_line add unique (instance_id, repeats_id);
alter table bank_line add check ((status = 'REPEATED') = (repeats_id is not null));
grant update (repeats_id) on bank_line to kvitt_app;
create index bank_line_amount on bank_line (instance_id, account_id, amount_minor, bank_date);

-- Swish money comes to the bank account as well, and so may that of other gateways.
drop index payment_reference_at_bank;
create index payment_reference_settled on payment (instance_id, payment_reference)
  where status = 'COMPLETED' or arrived_on is not null;

-- A line of a bank is the money of at most one payment, and a payment's money is at most one line; both have the same sum. What a
-- gateway pays out once a day is one line for many payments: they add up to it, and none of them is another line too.
create table bank_line_share (
  instance_id uuid not null,
  payment_id uuid not null,
  line_id uuid not null,
  primary key (instance_id, payment_id),
  foreign key (instance_id, payment_id) references payment (instance_id, id),
  foreign key (instance_id, line_id) references bank_line (instance_id, id)
);
create index bank_line_share_line on bank_line_share (instance_id, line_id);
grant select, insert, delete on bank_line_share to kvitt_app;

create view inv_i29_lines_and_payments_pair as
  select l.instance_id, l.id as bank_line_id, p.id as payment_id, l.amount_minor, p.amount_minor as paid_minor
  from bank_line l join payment p on p.instance_id = l.instance_id and p.id = l.payment_id
  where l.amount_minor <> p.amount_minor or l.currency <> p.currency or l.status not in ('BOOKED', 'KNOWN', 'REVERSED')
    or exists (select from bank_line o where o.instance_id = p.instance_id and o.payment_id = p.id and o.id <> l.id)
    or exists (select from bank_line_share s where s.instance_id = p.instance_id and s.payment_id = p.id)
  union all
  select l.instance_id, l.id, null, l.amount_minor, sum(p.amount_minor)
  from bank_line_share s
  join bank_line l on l.instance_id = s.instance_id and l.id = s.line_id
  join payment p on p.instance_id = s.instance_id and p.id = s.payment_id
  group by l.instance_id, l.id having sum(p.amount_minor) <> l.amount_minor or bool_or(l.payment_id is not null)
    or bool_or(p.currency <> l.currency);
grant select on inv_i29_lines_and_payments_pair to kvitt_app;
