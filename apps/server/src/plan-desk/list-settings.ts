/** What is offered, what will be and what was, as the portal lists it. */
import type { Loosen, AnswerOf } from '@kvitt/domain/contract.ts'
import type { listPlanSettings } from '@kvitt/domain/part-payments/setting-version.contract.ts'
import {
  SETTING_FAMILIES,
  versionStates,
  type SettingFamily,
} from '@kvitt/domain/part-payments/setting-version.ts'
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Context } from '../context.ts'
import type { OperatorMember } from '../staff/staff.ts'
import { readListed, readOwners, readProposed } from './plan-desk.queries.ts'

type Of = { readonly code: string; readonly creditorId: string | null }

const keyOf = ({ code, creditorId }: Of): string => `${code} ${creditorId ?? ''}`

/** Three months stand before twelve. */
const IN_ORDER = new Intl.Collator('en', { numeric: true })

const nameOf = (one: {
  readonly code: string
  readonly creditor: { readonly name: string } | null
}): string => `${one.code} ${one.creditor?.name ?? ''}`

/** By code and owner: the provider's before a creditor's own. */
export async function listSettings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { instance: { id: instanceId, timeZone } }: OperatorMember,
  family: SettingFamily,
): Promise<Loosen<AnswerOf<typeof listPlanSettings>>> {
  const today = clock.today(timeZone)
  const variants: readonly PlanVariant[] = SETTING_FAMILIES[family]
  const owners = await readOwners(db, instanceId)
  const listed = await readListed(db, instanceId)
  const proposed = (await readProposed(db, instanceId, variants)).map(({ after, ...one }) => ({
    ...one,
    ...after,
  }))
  const places = new Map(
    [...listed.filter(({ variant }) => variants.includes(variant)), ...proposed].map(
      ({ code, creditorId }) => [keyOf({ code, creditorId }), { code, creditorId }],
    ),
  )
  const settings = [...places.values()].map(({ code, creditorId }) => {
    const isOf = (one: Of): boolean => one.code === code && one.creditorId === creditorId
    const versions = listed.filter(isOf)
    const states = versionStates(versions, today)
    return {
      code,
      creditor: owners.find(({ id }) => id === creditorId) ?? null,
      versions: versions
        .map(({ creditorId: _, ...version }, index) => ({ ...version, state: states[index] ?? 'PAST' }))
        .filter(({ variant }) => variants.includes(variant))
        .toReversed(),
      proposed: proposed.filter(isOf).map(({ creditorId: _, ...one }) => one),
    }
  })
  return {
    today,
    creditors: owners,
    settings: settings.toSorted((a, b) => IN_ORDER.compare(nameOf(a), nameOf(b))),
  }
}
