-- A version is a row of its own and never changes: what was agreed with a debtor names it.
create trigger part_payment_setting_append_only before update or delete or truncate on part_payment_setting
  for each statement execute function refuse_change();
-- That a row was here before two people agreed on versions was said once, by 0414. The program cannot say it.
revoke insert on part_payment_setting from kvitt_app;
grant insert (instance_id, id, creditor_id, code, variant, currency, months, start_fee_minor, monthly_fee_minor, percent, interest_free_days,
  terms_days, threshold_percent, add_to_existing, legal_visible, terms_visible, smallest_balance_minor, valid_from, is_offered, conversation_id,
  monthly_minor, first_in_days, proposal_id) on part_payment_setting to kvitt_app;
-- As before; only that terms of nobody are seen while they are offered or will be, so that the remedy clears it: what two people agreed to takes
-- their place from its first day on. The day is the database's: where debts are real there is no other.
create or replace view inv_i61_settings_were_agreed as
  select s.instance_id, s.id as setting_id from part_payment_setting s
  join instance i on i.id = s.instance_id
  left join proposal x on x.instance_id = s.instance_id and x.id = s.proposal_id
  where s.conversation_id is null and case
    when s.proposal_id is null then not s.is_from_before and i.mode = 'live' and not exists (
      select from part_payment_setting n where n.instance_id = s.instance_id and n.code = s.code and n.conversation_id is null
        and n.creditor_id is not distinct from s.creditor_id and n.proposal_id is not null
        and n.valid_from <= (now() at time zone i.time_zone)::date and (n.valid_from, n.position) > (s.valid_from, s.position))
    else x.kind <> 'plan_setting' or x.status <> 'APPROVED' or x.decided_by = x.proposed_by or x.creditor_id is distinct from s.creditor_id
      or x.after <> jsonb_build_object(
        'code', s.code, 'variant', s.variant, 'currency', s.currency, 'months', s.months,
        'startFee', (s.start_fee_minor / 100.0)::numeric(20, 2)::text, 'monthlyFee', (s.monthly_fee_minor / 100.0)::numeric(20, 2)::text,
        'percent', s.percent::text, 'interestFreeDays', s.interest_free_days, 'termsDays', s.terms_days,
        'thresholdPercent', s.threshold_percent::text, 'addToExisting', s.add_to_existing, 'legalVisible', s.legal_visible,
        'termsVisible', s.terms_visible, 'smallestBalance', (s.smallest_balance_minor / 100.0)::numeric(20, 2)::text,
        'isOffered', s.is_offered, 'from', s.valid_from::text) end
  union all
  -- What two people agreed to is there.
  select x.instance_id, x.id from proposal x
  where x.kind = 'plan_setting' and x.status = 'APPROVED' and not exists (
    select from part_payment_setting s where s.instance_id = x.instance_id and s.proposal_id = x.id);
