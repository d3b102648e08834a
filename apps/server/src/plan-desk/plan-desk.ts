/**
 * What plans and accounts are offered on, in versions: one person proposes a version with a first day, another agrees, and from that
 * day on debtors are offered it. A version is a row of its own and never changes: what was agreed with a debtor names its row and keeps it.
 */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { proposePlanSetting } from '@kvitt/domain/part-payments/setting-version.contract.ts'
import {
  isSameOffer,
  isStartDay,
  readWritten,
  SETTING_FAMILIES,
  SETTING_LIMITS,
  writtenOf,
  type LimitedField,
  type SettingFamily,
  type SettingTerms,
  type WrittenSetting,
} from '@kvitt/domain/part-payments/setting-version.ts'
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Context } from '../context.ts'
import { insertSettingRow } from '../part-payments/part-payments.ts'
import { newId } from '../platform/identity.ts'
import type { Transaction } from '../platform/database/database.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { lockVersions, readOwners, readVersionsOf, type CodeVersion } from './plan-desk.queries.ts'

type Written = BodyOf<typeof proposePlanSetting>
type Owner = { readonly instanceId: string; readonly creditorId: string | null }

const isLimited = (field: string): field is LimitedField => Object.hasOwn(SETTING_LIMITS, field)

/** As offers are made of it; refuses `setting_code_wrong`, `setting_value_wrong` and `invalid_request` with the field. */
export function requireTerms(written: WrittenSetting): SettingTerms {
  const read = readWritten(written)
  if (!('field' in read)) return read
  const { field } = read
  if (field === 'code') throw new Refusal('setting_code_wrong', {}, [field])
  if (!isLimited(field)) throw new Refusal('invalid_request', {}, [field])
  const isOngoing = written.variant === 'ONGOING_PAYMENT' && ['percent', 'interestFreeDays'].includes(field)
  const { least, most } = SETTING_LIMITS[field]
  throw new Refusal('setting_value_wrong', { least, most: isOngoing ? least : most }, [field])
}

/** What of the code is offered on a day: the owner's own row before the provider's, and of each the newest. */
function versionOn(
  versions: readonly CodeVersion[],
  creditorId: string | null,
  day: string,
): CodeVersion | undefined {
  const begun = versions.filter(({ from }) => from <= day)
  return (
    begun.findLast((version) => version.creditorId === creditorId) ??
    begun.findLast((version) => version.creditorId === null)
  )
}

/** As a proposal has it: with the row that it is, so that another one in its place is seen. */
function stateOf(version: CodeVersion | undefined): ProposedState {
  if (!version) return {}
  const { creditorId: _, ...state } = version
  return state
}

/**
 * A code keeps its kind, so that it stands in one view, and an owner's code its currency: with another one it would be taken from the
 * debts that had it. Refuses `setting_kind_fixed`, and `setting_same` when nothing changes.
 */
function requireNews(
  versions: readonly CodeVersion[],
  { written, creditorId }: { readonly written: WrittenSetting; readonly creditorId: string | null },
): void {
  const { variant, currency, from } = written
  if (versions.some((one) => one.variant !== variant))
    throw new Refusal('setting_kind_fixed', {}, ['variant'])
  const own = versions.filter((one) => one.creditorId === creditorId)
  if (own.some((one) => one.currency !== currency)) throw new Refusal('setting_kind_fixed', {}, ['currency'])
  const now = versionOn(versions, creditorId, from)
  const isOwn = now?.creditorId === creditorId
  // Terms that are the provider's today may be kept as a creditor's own.
  const isSame = now ? isSameOffer(versionOf(now), written) && (isOwn || !now.isOffered) : !written.isOffered
  if (isSame) throw new Refusal('setting_same', {}, ['from'])
}

function versionOf({ id: _, creditorId: __, ...written }: CodeVersion): WrittenSetting {
  return written
}

const aboutOf = (creditorId: string | null, { code, from }: WrittenSetting): string =>
  `plan-setting:${creditorId ?? 'all'}:${code}:${from}`

function placeOf(about: string): { creditorId: string | null; code: string; from: string } {
  const [, owner = '', code = '', from = ''] = about.split(':')
  return { creditorId: owner === 'all' ? null : owner, code, from }
}

/** Refuses `not_found`: another provider's creditor does not exist. */
export async function requireOwner(
  { db }: Pick<Context, 'db'>,
  { instanceId, creditorId }: Owner,
): Promise<void> {
  if (creditorId === null) return
  const owners = await readOwners(db, instanceId)
  if (!owners.some(({ id }) => id === creditorId)) throw new Refusal('not_found')
}

/**
 * Proposes a version. Answers the proposal. Refuses what requireTerms and requireNews refuse, `setting_day_wrong` for a first day in the
 * past or too far ahead, `not_found` for a creditor of another provider, and `proposal_open` while one for the same day waits.
 */
export async function proposeVersion(
  context: Context,
  principal: OperatorMember,
  { creditorId, ...body }: Written,
  family: SettingFamily,
): Promise<string> {
  const { id: instanceId, timeZone } = principal.instance
  const variants: readonly PlanVariant[] = SETTING_FAMILIES[family]
  if (!variants.includes(body.variant)) throw new Refusal('invalid_request', {}, ['variant'])
  const terms = requireTerms(body)
  if (!isStartDay(body.from, context.clock.today(timeZone)))
    throw new Refusal('setting_day_wrong', {}, ['from'])
  await requireOwner(context, { instanceId, creditorId })
  const written = writtenOf(terms, body)
  return context.db.transaction(async (tx) => {
    await lockVersions(tx, instanceId)
    const versions = await readVersionsOf(tx, instanceId, written.code)
    requireNews(versions, { written, creditorId })
    return propose(tx, context, principal, {
      kind: 'plan_setting',
      about: aboutOf(creditorId, written),
      creditorId,
      before: stateOf(versionOn(versions, creditorId, written.from)),
      after: written,
    })
  })
}

async function readState(tx: Transaction, instanceId: string, about: string): Promise<ProposedState> {
  const { creditorId, code, from } = placeOf(about)
  return stateOf(versionOn(await readVersionsOf(tx, instanceId, code), creditorId, from))
}

/** From its first day on debtors are offered it; agreed to too late it is refused, for what was offered on a day stays so. */
export const PLAN_SETTING_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) => {
    await lockVersions(tx, instanceId)
    return readState(tx, instanceId, about)
  },
  carryOut: async (tx, { context, principal: { instance }, proposal: { id, after, creditorId } }) => {
    const { id: instanceId, timeZone } = instance
    const written = after as WrittenSetting
    const { from, isOffered } = written
    const terms = requireTerms(written)
    if (!isStartDay(from, context.clock.today(timeZone))) throw new Refusal('setting_day_wrong', {}, ['from'])
    requireNews(await readVersionsOf(tx, instanceId, written.code), { written, creditorId })
    await insertSettingRow(tx, instanceId, {
      ...terms,
      id: newId(context.clock.now()),
      creditorId,
      validFrom: from,
      isOffered,
      proposalId: id,
    })
  },
}
