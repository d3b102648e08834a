-- As before (0361); what is agreed to also says when it corrects what was charged.
create or replace view inv_i46_figures_were_agreed as
  select f.instance_id, f.id as figure_id from country_figure f
  left join proposal x on x.instance_id = f.instance_id and x.id = f.proposal_id
  where x.id is null or x.kind <> 'country_figure' or x.status <> 'APPROVED' or x.decided_by = x.proposed_by
    or x.after - 'corrects' <> f.value || jsonb_build_object('country', f.country, 'figure', f.figure, 'from', f.from_day::text, 'source', f.source);
