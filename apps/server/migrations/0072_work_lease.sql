-- Who does a piece of work that only one process may do at a time, and until when it is taken to be alive. The number grows
-- each time the work is taken over: whoever still works under an older one writes nothing any more.
create table work_lease (
  instance_id uuid not null references instance (id),
  work text not null,
  day date not null,
  owner text not null,
  number bigint not null check (number > 0),
  until timestamptz not null,
  primary key (instance_id, work, day)
);
grant select, insert, update on work_lease to kvitt_app;

-- Asked in each transaction of the work. The row stays as it is until that ends: nobody takes over in the middle of it.
create function hold_lease(p_instance uuid, p_work text, p_day date, p_number bigint) returns void
language plpgsql as $$
begin
  perform from work_lease l
    where l.instance_id = p_instance and l.work = p_work and l.day = p_day and l.number = p_number for key share;
  if not found then
    raise exception 'another process has taken over the work %', p_work using errcode = 'KV005';
  end if;
end $$;
revoke execute on function hold_lease(uuid, text, date, bigint) from public;
grant execute on function hold_lease(uuid, text, date, bigint) to kvitt_app;
