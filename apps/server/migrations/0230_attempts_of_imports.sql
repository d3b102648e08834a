-- How often work on an import was begun and not ended. Counted before it begins: what takes a process along is counted too.
alter table import add column attempts smallint not null default 0;
grant update (attempts) on import to kvitt_app;
