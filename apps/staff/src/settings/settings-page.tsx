import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficeSettings } from '@kvitt/domain/creditors/office-creditor.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../calls.ts'
import { CourtInstructions } from '../debts/court-instructions.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t, type MessageId } from '../text.ts'
import { Bounds } from './bounds.tsx'
import css from './settings-page.module.css'

type Settings = AnswerOf<typeof getOfficeSettings>

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/settings'), { signal }),
})

/** What is known of the creditor, as its debtors are shown it. */
export default function SettingsPage() {
  usePageName(t('view.settings'))
  const found = useQuery(settingsQuery)
  const mayInstruct = useRight('court')
  const today = useQuery(todayQuery).data as CalendarDate | undefined
  const settings = found.data
  return (
    <>
      <Bar title={t('view.settings')} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {settings && (
        <>
          <p className={css.who}>{t('settings.who')}</p>
          <Part title={t('settings.contact')}>
            <Contact settings={settings} />
          </Part>
          <Part title={t('settings.accounts')}>
            <Accounts accounts={settings.accounts} />
          </Part>
          <Part title={t('settings.reminder_fee')}>
            <p>
              {settings.reminderFee
                ? t('settings.reminder_fee.agreed', {
                    day: formatDay(settings.reminderFee.agreedOn),
                    source: settings.reminderFee.source,
                  })
                : t('settings.reminder_fee.none')}
            </p>
          </Part>
          <Part title={t('settings.bounds')}>
            <Bounds {...settings.bounds} />
          </Part>
          <Part title={t('settings.court')}>
            {today && (
              <CourtInstructions instructions={settings.courtInstructions} today={today} may={mayInstruct} />
            )}
          </Part>
        </>
      )}
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Contact({ settings }: { settings: Settings }) {
  const { name, identificationNumber, email, phone, address } = settings
  const { zip, city, countryCode } = address
  const place = [address.address, address.address2, [zip, city].filter(Boolean).join(' '), countryCode]
  return (
    <Facts
      rows={[
        { id: 'name', name: t('debtor.name'), value: name },
        { id: 'number', name: t('debtor.identification_number'), value: identificationNumber },
        { id: 'address', name: t('debtor.address'), value: place.filter(Boolean).join(', ') },
        { id: 'email', name: t('debtor.email'), value: email },
        { id: 'phone', name: t('debtor.phone'), value: phone },
      ]}
    />
  )
}

function Accounts({ accounts }: Pick<Settings, 'accounts'>) {
  if (accounts.length === 0) return <p>{t('settings.accounts.none')}</p>
  return (
    <ul className={css.accounts}>
      {accounts.map((account) => (
        <li key={account.id}>
          <Facts
            rows={[
              {
                id: 'number',
                name: t(`settings.scheme.${account.scheme}`),
                value: account.accountNumber ?? account.iban,
              },
              { id: 'iban', name: 'IBAN', value: account.accountNumber === null ? null : account.iban },
              { id: 'bank', name: t('settings.bank'), value: account.bankName },
              { id: 'receiver', name: t('settings.receiver'), value: account.receiverName },
              { id: 'currency', name: t('draft.currency'), value: account.currency },
              {
                id: 'holder',
                name: t('settings.holder'),
                value: account.holder && t(`settings.holder.${account.holder}` as MessageId),
              },
            ]}
          />
          {!account.isUsable && <p className={css.wrong}>{t('settings.not_usable')}</p>}
        </li>
      ))}
    </ul>
  )
}
