import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { listServiceProviders } from '@kvitt/domain/instances/service-provider.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../calls.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import css from './service-providers.module.css'

type Way = AnswerOf<typeof listServiceProviders>['logins'][number]

const waysQuery = queryOptions({
  queryKey: ['service-providers'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/service-providers', {}), { signal }),
})

const TONES: Readonly<Record<Way['state'], ChipTone>> = {
  READY: 'ok',
  TRIED: 'ok',
  SHARED: 'ok',
  NOT_TRIED: 'warn',
  NO_ACCOUNT: 'warn',
  EXPIRED: 'bad',
  UNREADABLE: 'bad',
  MISSING: 'bad',
  OFF: 'neutral',
}

const NAMES = ['BANKID', 'PAYMENT_REFERENCE', 'DIRECT_BANK', 'SWISH', 'BANK_TRANSFER'] as const

const nameOf = (code: string): string => {
  const known = NAMES.find((one) => one === code)
  return known ? t(`way.${known}`) : code
}

/** Ways to log in and to pay, in the order in which debtors see them, what stands in the way of each, and where that is put right. */
export default function ServiceProvidersPage() {
  usePageName(t('view.service-providers'))
  const found = useQuery(waysQuery)
  const { data } = found
  return (
    <>
      <Bar title={t('view.service-providers')} facts={t('way.facts')} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {data && (
        <>
          <Ways title={t('way.logins')} text={t('way.logins.text')} ways={data.logins} />
          <Ways title={t('way.payments')} text={t('way.payments.text')} ways={data.payments} />
          <section className={css.part}>
            <div className={css.acts}>
              <OfficeLink href={hashOf({ view: 'instance-providers' })}>{t('way.to_keys')}</OfficeLink>
              <OfficeLink href={hashOf({ view: 'payment-batches', id: 'accounts' })}>
                {t('way.to_accounts')}
              </OfficeLink>
              <OfficeLink href={hashOf({ view: 'part-payment-plans' })}>
                {t('view.part-payment-plans')}
              </OfficeLink>
              <OfficeLink href={hashOf({ view: 'part-payment-accounts' })}>
                {t('view.part-payment-accounts')}
              </OfficeLink>
            </div>
          </section>
        </>
      )}
    </>
  )
}

function Ways({ title, text, ways }: { title: string; text: string; ways: readonly Way[] }) {
  return (
    <section className={css.part}>
      <h2>{title}</h2>
      <p className={css.quiet}>{text}</p>
      <ol className={css.ways} aria-label={title}>
        {ways.map(({ code, state, until }) => (
          <li key={code}>
            <strong>{nameOf(code)}</strong>
            <Chip tone={TONES[state]}>{t(`way.state.${state}`)}</Chip>
            <span className={css.quiet}>
              {t(`way.state.${state}.text`)}
              {until !== null && ` ${t('credential.until')}: ${formatDay(until)}.`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
