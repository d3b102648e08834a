-- What a posting of interest was counted on is kept with it, for letters and screens (decision 021).

alter table ledger_transaction add column periods jsonb;
comment on column ledger_transaction.periods is
  'of interest: its principal, yearly rate, days and share for each span of days; null for everything else';
