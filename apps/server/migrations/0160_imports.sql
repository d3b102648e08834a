-- Files of invoices that a creditor's staff and programs import: what they say, what is wrong with it, and what it has become.

create table import (
  instance_id uuid not null,
  id uuid not null,
  creditor_id uuid not null,
  file_name text not null check (length(file_name) between 1 and 200),
  file_hash bytea not null,
  byte_count bigint not null,
  format text not null check (format in ('CSV', 'XLSX', 'UBL', 'ZIP')),
  status text not null check (status in ('CHECKING', 'READY', 'CONFIRMED', 'UNDONE', 'REFUSED')),
  -- What is still to be done with it; null when nothing is.
  work text check (work in ('READ', 'JUDGE', 'CONFIRM')),
  progress smallint not null default 0 check (progress between 0 and 100),
  refusal jsonb,
  -- Of the file's columns in their order: {name, comma, point, dayFirst, monthFirst}; what was read of their cells so far.
  columns jsonb not null default '[]' check (jsonb_typeof(columns) = 'array'),
  -- By our columns: the place of the file's column, from 0.
  mapping jsonb not null default '{}' check (jsonb_typeof(mapping) = 'object'),
  row_count integer not null default 0,
  ready_count integer not null default 0,
  wrong_count integer not null default 0,
  unchanged_count integer not null default 0,
  invoice_count integer not null default 0,
  made_count integer not null default 0,
  not_approved_count integer not null default 0,
  -- [{currency, readyMinor, toMakeMinor, invoices}]
  sums jsonb not null default '[]' check (jsonb_typeof(sums) = 'array'),
  -- How it was confirmed: {approve, alreadySent}.
  confirmation jsonb,
  -- Who made it, as the audit log names them.
  made_by text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (instance_id, id),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
create index import_creditor on import (instance_id, creditor_id, created_at, id);
create index import_work on import (instance_id, creditor_id) where work is not null;
-- The same file again, while its preview waits, is the same import.
create unique index import_waiting on import (instance_id, creditor_id, file_hash) where status in ('CHECKING', 'READY');
grant select, insert, delete on import to kvitt_app;
grant update (status, work, progress, refusal, columns, mapping, row_count, ready_count, wrong_count, unchanged_count,
  invoice_count, made_count, not_approved_count, sums, confirmation, version) on import to kvitt_app;

-- The file itself, until all of it is read.
create table import_part (
  instance_id uuid not null,
  import_id uuid not null,
  number integer not null,
  bytes bytea not null,
  primary key (instance_id, import_id, number),
  foreign key (instance_id, import_id) references import (instance_id, id) on delete cascade
);
grant select, insert, delete on import_part to kvitt_app;

create table import_row (
  instance_id uuid not null,
  import_id uuid not null,
  -- As the file counts its rows.
  number integer not null,
  -- What makes rows one invoice; empty: this row is one by itself.
  invoice_number text not null,
  -- The cells as they stand in the file: texts, and numbers where it has them.
  cells jsonb not null,
  -- What somebody has mended, by our columns.
  edits jsonb,
  -- The document of an archive.
  document bytea,
  state text check (state in ('READY', 'WRONG', 'UNCHANGED')),
  problems jsonb,
  -- What the invoice is over; at the first of its rows.
  total_minor bigint,
  currency text,
  invoice_id uuid,
  version integer not null default 1,
  primary key (instance_id, import_id, number),
  foreign key (instance_id, import_id) references import (instance_id, id) on delete cascade
);
alter table import_row set (fillfactor = 50);
create index import_row_invoice on import_row (instance_id, import_id, invoice_number, number);
grant select, insert, delete on import_row to kvitt_app;
grant update (invoice_number, edits, state, problems, total_minor, currency, invoice_id, version) on import_row to kvitt_app;

-- What a creditor has said of the names of columns in its files; null: there is no use for it.
create table import_column (
  instance_id uuid not null,
  creditor_id uuid not null,
  name_key text not null check (length(name_key) between 1 and 100),
  import_column text,
  primary key (instance_id, creditor_id, name_key),
  foreign key (instance_id, creditor_id) references creditor (instance_id, id)
);
grant select, insert on import_column to kvitt_app;
grant update (import_column) on import_column to kvitt_app;

-- A draft that an import had made and that was taken back: its number is free again, so that the file can be imported anew.
alter table invoice add column is_undone boolean not null default false;
grant update (is_undone) on invoice to kvitt_app;
