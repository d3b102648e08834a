-- The key of a payment that was cut off before anybody heard of it leads to the one that takes its place.
grant update (payment_id) on payment_key to kvitt_app;
