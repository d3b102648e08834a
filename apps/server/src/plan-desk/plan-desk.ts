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
  termsOf,
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
import type { Connection, Transaction } from '../platform/database/database.ts'
import { propose, type ProposalWork, type ProposedState } from '../proposals/proposals.ts'
import { onceByOperator, type AskedOnce, type OperatorMember } from '../staff/staff.ts'
import { lockVersions, readOwners, readVersionsOf, type CodeVersion } from './plan-desk.queries.ts'

type Written = BodyOf<typeof proposePlanSetting>
type New = { readonly written: WrittenSetting; readonly creditorId: string | null }
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
 * A code keeps its kind, so that it stands in one view, and its currency: with another one it would be taken from the debts that had it. It
 * is what its owner has last made of it; of an owner that has none yet, the provider; of a provider that has none, every creditor. Refuses
 * `setting_kind_fixed`.
 */
function requireKind(versions: readonly CodeVersion[], { written, creditorId }: New): void {
  const newestOf = (owner: string | null) => versions.findLast((one) => one.creditorId === owner)
  const one = newestOf(creditorId) ?? newestOf(null)
  const owners = new Set(versions.map((version) => version.creditorId))
  const kept = one ? [one] : [...owners].flatMap((owner) => newestOf(owner) ?? [])
  for (const field of ['variant', 'currency'] as const)
    if (kept.some((version) => version[field] !== written[field]))
      throw new Refusal('setting_kind_fixed', {}, [field])
}

/** Refuses `setting_same` when nothing changes. */
function requireNews(versions: readonly CodeVersion[], { written, creditorId }: New): void {
  const { from } = written
  const now = versionOn(versions, creditorId, from)
  const isOwn = now?.creditorId === creditorId
  // Terms that are the provider's today may be kept as a creditor's own.
  const isSame = now ? isSameOffer(versionOf(now), written) && (isOwn || !now.isOffered) : !written.isOffered
  if (isSame) throw new Refusal('setting_same', {}, ['from'])
}

/**
 * What is written down. What is taken off the list keeps the terms that it has: they may be older than the limits, and of none that are
 * taken away anything is asked.
 */
function wordsOf(versions: readonly CodeVersion[], { written, creditorId }: New): WrittenSetting {
  const { isOffered, from } = written
  if (isOffered) return writtenOf(requireTerms(written), written)
  const now = versionOn(versions, creditorId, from)
  if (!now) throw new Refusal('setting_same', {}, ['from'])
  return { ...versionOf(now), isOffered, from }
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
  { db }: { readonly db: Connection },
  { instanceId, creditorId }: Owner,
): Promise<void> {
  if (creditorId === null) return
  const owners = await readOwners(db, instanceId)
  if (!owners.some(({ id }) => id === creditorId)) throw new Refusal('not_found')
}

type Proposing = {
  readonly asked: AskedOnce
  readonly body: Written
  readonly family: SettingFamily
}

/**
 * Proposes a version, once under a key. Answers the proposal. Refuses what requireTerms, requireKind and requireNews refuse,
 * `setting_day_wrong` for a first day in the past or too far ahead, `not_found` for a creditor of another provider, and `proposal_open` while
 * one for the same day waits.
 */
export function proposeVersion(
  context: Context,
  principal: OperatorMember,
  { asked, body, family }: Proposing,
): Promise<{ readonly id: string; readonly isReplayed: boolean }> {
  const { id: instanceId, timeZone } = principal.instance
  const { creditorId, ...version } = body
  const variants: readonly PlanVariant[] = SETTING_FAMILIES[family]
  return onceByOperator(context, principal, asked, async (tx) => {
    if (!variants.includes(version.variant)) throw new Refusal('invalid_request', {}, ['variant'])
    if (version.isOffered) requireTerms(version)
    if (!isStartDay(version.from, context.clock.today(timeZone)))
      throw new Refusal('setting_day_wrong', {}, ['from'])
    await requireOwner({ db: tx }, { instanceId, creditorId })
    await lockVersions(tx, instanceId)
    const versions = await readVersionsOf(tx, instanceId, version.code)
    requireKind(versions, { written: version, creditorId })
    const written = wordsOf(versions, { written: version, creditorId })
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
    const terms = isOffered ? requireTerms(written) : termsOf(written)
    if (!isStartDay(from, context.clock.today(timeZone))) throw new Refusal('setting_day_wrong', {}, ['from'])
    const versions = await readVersionsOf(tx, instanceId, written.code)
    requireKind(versions, { written, creditorId })
    requireNews(versions, { written, creditorId })
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
