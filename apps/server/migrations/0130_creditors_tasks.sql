-- Whose a task is, so that a creditor's own are found by it; and the membership that looks after one.

create function creditor_of_task(of_instance uuid, of_about text, of_details jsonb) returns uuid
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with named as (
    select (select m[1]::uuid from regexp_match(of_details ->> 'creditorId', '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') m)
        as creditor_id,
      (select m[1]::uuid from regexp_match(of_details ->> 'invoiceId', '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') m)
        as invoice_id,
      (select m[1]::uuid from regexp_match(coalesce(of_details ->> 'claimId', substr(of_about, 7)),
        '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') m) as claim_id,
      (select m[1]::uuid from regexp_match(of_about, '^bank-line:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') m)
        as line_id)
  select coalesce(
    (select c.id from creditor c where c.instance_id = of_instance and c.id = n.creditor_id),
    (select i.creditor_id from invoice i where i.instance_id = of_instance and i.id = n.invoice_id),
    (select c.creditor_id from claim c where c.instance_id = of_instance and c.id = n.claim_id),
    (select a.creditor_id from bank_line l
       join payment_account a on a.instance_id = l.instance_id and a.id = l.account_id
     where l.instance_id = of_instance and l.id = n.line_id))
  from named n
$$;

alter table task
  add column creditor_id uuid,
  add column assignee_id uuid,
  add foreign key (instance_id, creditor_id) references creditor (instance_id, id),
  add foreign key (instance_id, assignee_id) references membership (instance_id, id);
grant update (assignee_id) on task to kvitt_app;

-- Of whatever names one. Which kinds are the creditor's to solve, and which the operator's, the domain says (TASK_KINDS).
create function keep_task_creditor() returns trigger language plpgsql as $$
begin
  new.creditor_id := creditor_of_task(new.instance_id, new.about, new.details);
  return new;
end $$;
create trigger task_creditor before insert on task for each row
  when (new.details ?| array['creditorId', 'invoiceId', 'claimId'] or new.about like 'claim:%' or new.kind = 'creditor_refund')
  execute function keep_task_creditor();
update task set creditor_id = creditor_of_task(instance_id, about, details)
where details ?| array['creditorId', 'invoiceId', 'claimId'] or about like 'claim:%' or kind = 'creditor_refund';

create index task_creditor on task (instance_id, creditor_id, opened_at) where creditor_id is not null;
