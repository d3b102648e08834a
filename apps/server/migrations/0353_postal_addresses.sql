-- Where a provider can be written to on paper: it stands in letters and in the imprint, as the law asks (directive 2000/31/EC, article 5).
alter table instance add column postal_address text check (postal_address <> '' and length(postal_address) <= 200);
grant update (postal_address) on instance to kvitt_app;
