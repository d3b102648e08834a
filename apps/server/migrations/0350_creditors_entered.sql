-- An operator's people enter creditors, and change how they are reached. What one is recognised by never changes.
grant update (name, email, phone, address, address2, zip, city) on creditor to kvitt_app;
