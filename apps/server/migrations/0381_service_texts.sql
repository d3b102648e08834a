-- What a provider says of its customer service, and where its advertisement leads, by language. What is not there is not shown.
alter table instance
  add column service_texts jsonb not null default '{}' check (jsonb_typeof(service_texts) = 'object'),
  add column ad_links jsonb not null default '{}' check (jsonb_typeof(ad_links) = 'object');
grant update (service_texts, ad_links) on instance to kvitt_app;

-- They stood in the program, for the product's own company alone.
update instance set ad_links = '{
  "sv": [{"text": "För företag: skicka fakturor med Kvitt", "url": "https://kvitt.example/business"}, {"text": "Samla alla dina fakturor på ett ställe", "url": "https://kvitt.example/overview"}],
  "en": [{"text": "For companies: send invoices with Kvitt", "url": "https://kvitt.example/business"}, {"text": "Keep all your invoices in one place", "url": "https://kvitt.example/overview"}],
  "nb": [{"text": "For bedrifter: send fakturaer med Kvitt", "url": "https://kvitt.example/business"}, {"text": "Samle alle fakturaene dine på ett sted", "url": "https://kvitt.example/overview"}],
  "da": [{"text": "For virksomheder: send fakturaer med Kvitt", "url": "https://kvitt.example/business"}, {"text": "Saml alle dine fakturaer ét sted", "url": "https://kvitt.example/overview"}],
  "fi": [{"text": "Yrityksille: lähetä laskut Kvittillä", "url": "https://kvitt.example/business"}, {"text": "Kokoa kaikki laskusi yhteen paikkaan", "url": "https://kvitt.example/overview"}]
}' where is_product_owner;
