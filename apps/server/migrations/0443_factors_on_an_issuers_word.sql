-- compatible: yes
-- Whether a second factor was set up in a sign-in that the provider's own issuer had proven: it goes when the person first works at another
-- provider, or chooses a first password. Older programs know of no such sign-in.
alter table second_factor add column by_issuer boolean not null default false;
