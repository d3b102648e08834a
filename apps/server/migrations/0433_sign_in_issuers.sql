-- compatible: yes
-- A provider's own OpenID issuer, at which its staff may sign in. Older programs know none of these tables and sign people in by password.
create table sign_in_issuer (
  instance_id uuid primary key references instance (id),
  -- As its discovery document names itself; a token of any other is refused.
  issuer text not null check (length(issuer) between 1 and 500),
  client_id text not null check (length(client_id) between 1 and 200),
  secret_id uuid not null,
  -- Of whose e-mail addresses it says who they are, in lower case.
  domains text[] not null check (cardinality(domains) between 1 and 20),
  is_on boolean not null,
  -- Whoever has an address of these domains signs in there alone.
  is_required boolean not null,
  -- It asks for a second factor itself: none is asked for here.
  counts_as_both boolean not null,
  -- What two people have agreed to.
  proposal_id uuid not null,
  foreign key (instance_id, secret_id) references kept_secret (instance_id, id),
  foreign key (instance_id, proposal_id) references proposal (instance_id, id)
);
create index sign_in_issuer_secret on sign_in_issuer (instance_id, secret_id);
create index sign_in_issuer_proposal on sign_in_issuer (instance_id, proposal_id);
grant select, insert on sign_in_issuer to kvitt_app;
grant update (issuer, client_id, secret_id, domains, is_on, is_required, counts_as_both, proposal_id) on sign_in_issuer to kvitt_app;

-- Who somebody of an issuer is here: linked once, by an invitation. The e-mail address proves nothing from then on.
create table sign_in_link (
  instance_id uuid not null references instance (id),
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  person_id uuid not null references person (id),
  linked_at timestamptz not null,
  primary key (instance_id, issuer, subject)
);
create unique index sign_in_link_person on sign_in_link (person_id, instance_id, issuer);
grant select, insert, delete on sign_in_link to kvitt_app;

-- A browser that was sent to an issuer, until it comes back: once, and within ten minutes. The state is kept as a hash.
create table sign_in_try (
  instance_id uuid not null references instance (id),
  state_hash bytea not null,
  -- Which sign-in or invitation of ours it belongs to, as a hash.
  for_hash bytea not null,
  issuer text not null,
  nonce text not null,
  verifier text not null,
  redirect_uri text not null,
  -- Where our own callback leads on to, on the same origin.
  go_on text not null check (go_on like '/oidc/%'),
  expires_at timestamptz not null,
  primary key (instance_id, state_hash)
);
create index sign_in_try_expires on sign_in_try (expires_at);
grant select, insert, delete on sign_in_try to kvitt_app;
