-- The creditor has had this invoice handed over as early as the law allows: its schedule waits no longer than that.
alter table invoice add column to_collection_on date;
grant update (to_collection_on) on invoice to kvitt_app;
