/** The calls about what plans and accounts are offered on, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/part-payments/setting-version.contract.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { presentProposal } from '../proposals/proposals.ts'
import { bind } from '../sign-in/bind.ts'
import { askedBy, type OperatorMember } from '../staff/staff.ts'
import { listSettings } from './list-settings.ts'
import { proposeVersion } from './plan-desk.ts'
import { previewOffers } from './preview-settings.ts'

async function proposing(
  { context, principal }: { readonly context: Context; readonly principal: OperatorMember },
  wanted: Parameters<typeof proposeVersion>[2],
) {
  const { id, isReplayed } = await proposeVersion(context, principal, wanted)
  const answer = await presentProposal(context, principal, id)
  return isReplayed ? new Replayed(answer) : answer
}

export const PLAN_DESK_BINDINGS: readonly Binding[] = [
  bind(contract.listPlanSettings, ({ context, principal }) => listSettings(context, principal, 'plans')),
  bind(contract.listAccountSettings, ({ context, principal }) =>
    listSettings(context, principal, 'accounts'),
  ),
  bind(contract.previewSettings, ({ context, principal, body }) => previewOffers(context, principal, body)),
  bind(contract.proposePlanSetting, ({ context, principal, body, request }) =>
    proposing(
      { context, principal },
      { asked: askedBy(request, 'plan-setting', body), body, family: 'plans' },
    ),
  ),
  bind(contract.proposeAccountSetting, ({ context, principal, body, request }) =>
    proposing(
      { context, principal },
      { asked: askedBy(request, 'account-setting', body), body, family: 'accounts' },
    ),
  ),
]
