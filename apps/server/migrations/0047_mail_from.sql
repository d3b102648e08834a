-- The address that a provider's e-mail comes from, where it is not the installation's.

alter table instance add column mail_from text check (mail_from ~ '^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$');
