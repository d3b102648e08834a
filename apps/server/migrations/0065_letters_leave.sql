-- A step waits for the letter of the one before it to have left: whose letters wait is looked up for each due step.
create index mail_outbox_unsent_letter on mail_outbox (instance_id, (coalesce(claim_id, invoice_id)))
  where status = 'WAITING' and step_id is not null and kind <> 'expired_notice';

-- A letter that leaves on a later day than it was written on gives another last day, and is drawn anew, as of that day.
alter table collection_step add column left_on date check (left_on > performed_date);
grant update (left_on) on collection_step to kvitt_app;
grant update (file_id) on mail_outbox to kvitt_app;

-- What was kept of a letter that waits to be sent, because somebody looked at it before, says another last day.
create function forget_drawn_letter(of_instance uuid, of_step uuid) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from document d where d.instance_id = of_instance and d.id = of_step and d.topic = 'REMINDER' and exists (
    select from mail_outbox m where m.instance_id = of_instance and m.cause = 'step:' || of_step and m.status = 'WAITING')
$$;
revoke execute on function forget_drawn_letter(uuid, uuid) from public;
grant execute on function forget_drawn_letter(uuid, uuid) to kvitt_app;
