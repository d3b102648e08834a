/** The calls about what plans and accounts are offered on, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/part-payments/setting-version.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { bind } from '../sign-in/bind.ts'
import { listSettings } from './list-settings.ts'
import { proposeVersion } from './plan-desk.ts'
import { previewOffers } from './preview-settings.ts'

export const PLAN_DESK_BINDINGS: readonly Binding[] = [
  bind(contract.listPlanSettings, ({ context, principal }) => listSettings(context, principal, 'plans')),
  bind(contract.listAccountSettings, ({ context, principal }) =>
    listSettings(context, principal, 'accounts'),
  ),
  bind(contract.previewSettings, ({ context, principal, body }) => previewOffers(context, principal, body)),
  bind(contract.proposePlanSetting, async ({ context, principal, body }) =>
    presentProposal(context, principal, await proposeVersion(context, principal, body, 'plans')),
  ),
  bind(contract.proposeAccountSetting, async ({ context, principal, body }) =>
    presentProposal(context, principal, await proposeVersion(context, principal, body, 'accounts')),
  ),
]
