-- What debtors are offered is what one person proposed and another agreed to, to the letter. Where debts are real nothing else is offered, but what
-- was there before two people agreed.
create view inv_i61_settings_were_agreed as
  select s.instance_id, s.id as setting_id from part_payment_setting s
  join instance i on i.id = s.instance_id
  left join proposal x on x.instance_id = s.instance_id and x.id = s.proposal_id
  where s.conversation_id is null and case when s.proposal_id is null then not s.is_from_before and i.mode = 'live'
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
grant select on inv_i61_settings_were_agreed to kvitt_app;
