-- compatible: yes
-- What the portals of each release were built to, for pages of one release that ask a process of another.

create table portal_release (
  -- Of the names and contents of its files: two builds of the same sources are one release.
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  version text not null,
  -- When a process last said that it serves this release.
  seen_at timestamptz not null default now()
);

create table portal_asset (
  -- SHA-256 of the content as a browser sees it.
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  packing text not null check (packing in ('br', 'none')),
  content bytea not null
);
-- It is packed already.
alter table portal_asset alter column content set storage external;

create table portal_release_file (
  release_id text not null references portal_release on delete cascade,
  -- Below `assets/`, with the hash that the build gave it.
  name text not null,
  hash text not null references portal_asset,
  primary key (release_id, name)
);
create index portal_release_file_hash on portal_release_file (hash);

grant select, insert, delete on portal_release, portal_asset, portal_release_file to kvitt_app;
grant update (seen_at) on portal_release to kvitt_app;
