-- Each figure that debtors are charged by is what one person proposed and another agreed to, to the letter.
create view inv_i46_figures_were_agreed as
  select f.instance_id, f.id as figure_id from country_figure f
  left join proposal x on x.instance_id = f.instance_id and x.id = f.proposal_id
  where x.id is null or x.kind <> 'country_figure' or x.status <> 'APPROVED' or x.decided_by = x.proposed_by
    or x.after <> f.value || jsonb_build_object('country', f.country, 'figure', f.figure, 'from', f.from_day::text, 'source', f.source);
grant select on inv_i46_figures_were_agreed to kvitt_app;
