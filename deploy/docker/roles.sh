#!/bin/sh
# Once, when the volume of the database is empty: the owner of the tables, and the program's login, which may do less (docs/setup.md).
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner="$KVITT_OWNER_PASSWORD" -v app="$KVITT_APP_PASSWORD" <<'SQL'
create role kvitt login createrole password :'owner';
create role kvitt_app login noinherit password :'app';
grant kvitt_app to kvitt with admin option;
create database kvitt owner kvitt;
SQL
