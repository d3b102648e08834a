import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { hashOf } from '@kvitt/office/place.ts'
import type { HealthState, StuckKind } from '@kvitt/domain/dashboard/dashboard.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { ReactNode } from 'react'
import { t } from '../text.ts'
import type { WorkNow } from './dashboard-calls.ts'
import css from './dashboard-page.module.css'

type NowProps = {
  now: WorkNow
  /** One creditor is chosen. */
  isOfOne: boolean
  /** What a kind of task asks for. */
  deedOf: (kind: WorkNow['tasks'][number]['kind']) => string
}

/** What waits now, and how it stands with the bank and the others. */
export function Now({ now, isOfOne, deedOf }: NowProps) {
  return (
    <>
      <p className={css.days}>{t('dashboard.looked_at', { at: momentText(now.at) })}</p>
      <div className={css.parts}>
        {now.agreement && <Agreement agreement={now.agreement} isOfOne={isOfOne} />}
        <Unapplied suspense={now.suspense} isOfOne={isOfOne} />
        <Waiting tasks={now.tasks} isOfOne={isOfOne} deedOf={deedOf} />
        <Stuck stuck={now.stuck} isOfOne={isOfOne} />
        <Health health={now.health} isOfOne={isOfOne} />
      </div>
    </>
  )
}

type PartProps = { title: string; isOfAll?: boolean; children: ReactNode }

/** `isOfAll`: it has no creditor, and is the same whichever is chosen. */
function Part({ title, isOfAll = false, children }: PartProps) {
  return (
    <section className={css.part} aria-label={title}>
      <h2>{title}</h2>
      {isOfAll && <p className={css.note}>{t('dashboard.of_all')}</p>}
      {children}
    </section>
  )
}

const TONES = { AGREES: 'ok', DIFFERS: 'bad', NO_STATEMENT: 'warn' } as const

type AgreementProps = { agreement: NonNullable<WorkNow['agreement']>; isOfOne: boolean }

function Agreement({ agreement: { day, currencies }, isOfOne }: AgreementProps) {
  return (
    <Part title={t('dashboard.agreement')} isOfAll={isOfOne}>
      {currencies.length === 0 && <p>{t('dashboard.agreement_none')}</p>}
      <ul className={css.rows}>
        {currencies.map(({ currency, verdict, difference, waitingLines }) => (
          <li key={currency}>
            <span>
              <Chip tone={TONES[verdict]}>{t(`funds.verdict.${verdict}`)}</Chip>{' '}
              {t('dashboard.agreement_day', { day: formatDay(day), currency })}
              {waitingLines > 0 && <br />}
              {waitingLines > 0 && t('dashboard.agreement_waiting', { n: waitingLines })}
            </span>
            <span>
              {difference === null ? '–' : <Figure minor={minorOf(difference)} currency={currency} />}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={hashOf({ view: 'client-funds' })}>{t('dashboard.agreement_whole')}</a>
      </p>
    </Part>
  )
}

/** The lists behind the links know no creditor. */
const ListsOfAll = () => <p className={css.note}>{t('dashboard.lists_of_all')}</p>

function Unapplied({ suspense, isOfOne }: Pick<WorkNow, 'suspense'> & Pick<NowProps, 'isOfOne'>) {
  return (
    <Part title={t('dashboard.suspense')}>
      {isOfOne && suspense.length > 0 && <ListsOfAll />}
      {suspense.length === 0 && <p>{t('dashboard.suspense_none')}</p>}
      <ul className={css.rows}>
        {suspense.map(({ currency, count, amount, oldest }) => (
          <li key={currency}>
            <a href={hashOf({ view: 'suspense' })}>
              {t('dashboard.suspense_row', { n: count, oldest: formatDay(oldest, 'short') })}
            </a>
            <Figure minor={minorOf(amount)} currency={currency} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Waiting({ tasks, isOfOne, deedOf }: Pick<WorkNow, 'tasks'> & Pick<NowProps, 'isOfOne' | 'deedOf'>) {
  return (
    <Part title={t('dashboard.waiting')}>
      {isOfOne && tasks.length > 0 && <ListsOfAll />}
      {tasks.length === 0 && <p>{t('dashboard.waiting_none')}</p>}
      <ul className={css.rows}>
        {tasks.map(({ kind, count }) => (
          <li key={kind}>
            <a href={hashOf({ view: 'tasks' }, { tab: kind })}>{deedOf(kind)}</a>
            <span>{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Where each sort of it is worked off. */
const VIEW_OF: Readonly<Record<StuckKind, string>> = {
  MESSAGES_DEAD: 'outbox',
  MESSAGES_LATE: 'outbox',
  RUNS_FAILED: 'jobs',
  PAYMENTS_UNCLEAR: 'payments',
  BANK_LINES_WAITING: 'payment-batches',
  WEBHOOKS_OFF: 'tasks',
}

function Stuck({ stuck, isOfOne }: Pick<WorkNow, 'stuck'> & { isOfOne: boolean }) {
  return (
    <Part title={t('dashboard.stuck')} isOfAll={isOfOne}>
      {stuck.length === 0 && <p>{t('dashboard.stuck_none')}</p>}
      <ul className={css.rows}>
        {stuck.map(({ kind, count, since }) => (
          <li key={kind}>
            <a href={hashOf({ view: VIEW_OF[kind] })}>{t(`dashboard.stuck.${kind}`, { n: count })}</a>
            <span>{t('dashboard.since', { at: momentText(since) })}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

const HEALTH_TONES: Readonly<Record<HealthState, ChipTone>> = {
  OK: 'ok',
  LATE: 'warn',
  FAILING: 'bad',
  QUIET: 'neutral',
}

function Health({ health, isOfOne }: Pick<WorkNow, 'health'> & { isOfOne: boolean }) {
  return (
    <Part title={t('dashboard.health')} isOfAll={isOfOne}>
      {health.length === 0 && <p>{t('dashboard.health_none')}</p>}
      <ul className={css.rows}>
        {health.map(({ counterparty, state, lastAt, waiting, failed }) => (
          <li key={counterparty}>
            <span>
              {t(`dashboard.party.${counterparty}`)}{' '}
              <Chip tone={HEALTH_TONES[state]}>{t(`dashboard.health.${state}`)}</Chip>
            </span>
            <span>
              {[
                ...(waiting > 0 ? [t('dashboard.late_count', { n: waiting })] : []),
                ...(failed > 0 ? [t('dashboard.failed_count', { n: failed })] : []),
                lastAt === null ? t('dashboard.never') : t('dashboard.last_at', { at: momentText(lastAt) }),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
