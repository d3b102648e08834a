import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type {
  listPlanSettings,
  proposePlanSetting,
} from '@kvitt/domain/part-payments/setting-version.contract.ts'
import type { SettingFamily } from '@kvitt/domain/part-payments/setting-version.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Settings = AnswerOf<typeof listPlanSettings>
export type Setting = Settings['settings'][number]
export type Version = Setting['versions'][number]
export type Proposed = Setting['proposed'][number]
export type NewVersion = BodyOf<typeof proposePlanSetting>

/** The view of each family. */
export const VIEWS = {
  plans: 'part-payment-plans',
  accounts: 'part-payment-accounts',
} as const satisfies Readonly<Record<SettingFamily, string>>

export const settingsQuery = (family: SettingFamily) =>
  queryOptions({
    queryKey: [VIEWS[family]],
    queryFn: ({ signal }) =>
      family === 'plans'
        ? api.ask(staffCall('GET', '/admin/part-payment-plans', {}), { signal })
        : api.ask(staffCall('GET', '/admin/part-payment-accounts', {}), { signal }),
  })

/** Once under `key`: pressed again after a lost answer it proposes nothing more. */
export function proposeVersion(family: SettingFamily, version: NewVersion, key: string) {
  const sent = { body: version, headers: { 'Idempotency-Key': key } }
  return family === 'plans'
    ? api.ask(staffCall('POST', '/admin/part-payment-plans'), sent)
    : api.ask(staffCall('POST', '/admin/part-payment-accounts'), sent)
}
