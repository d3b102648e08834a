-- What is kept for the dashboard is what is counted, for each creditor and for all of them together.

create view figure_now as
  select instance_id, creditor_id, figure, day, method, currency, n, minor from figure_kept
  union all
  select m.instance_id, w.creditor_id, m.figure, m.day, m.method, m.currency, m.n, m.minor
  from figure_move m cross join lateral (values (m.creditor_id), (of_all_creditors())) w (creditor_id);
grant select on figure_now to kvitt_app;

create view inv_i59_figures_kept_are_counted as
  select coalesce(k.instance_id, c.instance_id) as instance_id, coalesce(k.creditor_id, c.creditor_id) as creditor_id,
    coalesce(k.figure, c.figure) as figure, coalesce(k.day, c.day) as day, coalesce(k.method, c.method) as method,
    coalesce(k.currency, c.currency) as currency, k.n as kept, c.n as counted, k.minor as kept_minor, c.minor as counted_minor
  from (
    select instance_id, creditor_id, figure, day, method, currency, sum(n) as n, sum(minor) as minor
    from figure_now group by 1, 2, 3, 4, 5, 6) k
  full join (
    select instance_id, coalesce(creditor_id, of_all_creditors()) as creditor_id, figure, day, method, currency, sum(n) as n,
      sum(minor) as minor
    from figure_counted
    group by grouping sets ((instance_id, creditor_id, figure, day, method, currency), (instance_id, figure, day, method, currency))) c
    on c.instance_id = k.instance_id and c.creditor_id = k.creditor_id and c.figure = k.figure and c.day = k.day
      and c.method = k.method and c.currency = k.currency
  where coalesce(k.n, 0) <> coalesce(c.n, 0) or coalesce(k.minor, 0) <> coalesce(c.minor, 0);
grant select on inv_i59_figures_kept_are_counted to kvitt_app;
