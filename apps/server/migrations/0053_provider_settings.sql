-- A provider is made and changed by a command (docs/operations.md), as the product itself reaches the database.

-- By way to pay: the word that stands beside it, such as {"DIRECT_PAYMENT_MOBILE": "NEW"}.
alter table instance add column promotions jsonb not null default '{}';

grant update (name, identification_number, homepage, phone, email, primary_colour, secondary_colour, button_colour, palette,
  logo_name, favicon_name, background_name, login_background_name, logins, promotions) on instance to kvitt_app;
