-- compatible: yes
-- By the tables, and by the meaning while no issuer is agreed to: older programs take such a session for one that began here (decision 053).
-- Whether a session of staff began at the provider's own issuer: such a one changes no password, second factor or passkey, and ends when the
-- issuer is switched off. Null: it began here.
alter table staff_session add column by_issuer text check (length(by_issuer) between 1 and 500);
create index staff_session_issuer on staff_session (instance_id, by_issuer) where by_issuer is not null;
