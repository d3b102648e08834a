-- A bank may send a statement in pages, in any order and again. A page tells of no day; when all of them are here, and opening
-- balance and entries are the closing balance, the statement does.
create table statement_page (
  instance_id uuid not null,
  account_id uuid not null,
  -- What the pages of one statement have in common, as a digest.
  statement text not null,
  page integer not null check (page > 0),
  is_last boolean not null,
  file_id uuid not null,
  -- The booked entries of the page, less what left the account.
  sum_minor bigint not null,
  -- Day, amount and currency, where the page tells them: of the statement, or of the page.
  opening jsonb,
  closing jsonb,
  -- Of the last page: of which days the statement tells, and its number.
  told jsonb,
  -- The entries that the page told of, by the names that they are kept under: another page's equal entry is another one.
  entries text[] not null,
  primary key (instance_id, account_id, statement, page),
  foreign key (instance_id, file_id) references bank_file (instance_id, id),
  foreign key (instance_id, account_id) references payment_account (instance_id, id)
);
grant select, insert on statement_page to kvitt_app;
grant update (is_last, file_id, sum_minor, opening, closing, told, entries) on statement_page to kvitt_app;
