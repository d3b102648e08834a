-- A key belongs to the body that it first came with, also when a payment answered that had been started without it.

create table payment_key (
  instance_id uuid not null,
  -- The invoice or claim that is paid.
  debt_id uuid not null,
  idempotency_key text not null,
  payment_id uuid not null,
  request_hash bytea not null,
  primary key (instance_id, debt_id, idempotency_key),
  foreign key (instance_id, payment_id) references payment (instance_id, id)
);
grant select, insert on payment_key to kvitt_app;
