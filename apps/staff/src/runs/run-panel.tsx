import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts } from '../shell/facts.tsx'
import { t } from '../text.ts'
import { isUnderWay, runQuery, type Run } from './run-calls.ts'
import { doneOf, RunChip, tookText } from './run-words.tsx'
import css from './runs.module.css'

type RunPanelProps = {
  id: string
  today: string
  onClose: () => void
  /** Undefined for who may not. */
  onAgain: ((work: Run['work']) => void) | undefined
}

/** One run: what it did, what it left, and how it is done once more. */
export function RunPanel({ id, today, onClose, onAgain }: RunPanelProps) {
  const found = useQuery(runQuery(id))
  const run = found.data
  if (!run) {
    return (
      <Panel kind={t('run.run')} title={t('run.run')} onClose={onClose}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  }
  const { work, day, status, askedBy, askedAt, startedAt, endedAt, tookMs, tries, quarantined, error } = run
  const at = (moment: string | null) => moment && momentText(moment, { hasSeconds: true })
  return (
    <Panel
      kind={t(`run.work.${work}`)}
      title={t('run.of_day', { day: dayText(day, today) })}
      onClose={onClose}
      foot={
        onAgain &&
        !isUnderWay(run) && <OfficeButton onClick={() => onAgain(work)}>{t('run.again')}</OfficeButton>
      }
    >
      <Facts
        rows={[
          { id: 'status', name: t('invoice.status'), value: <RunChip status={status} /> },
          { id: 'asked', name: t('run.asked_by'), value: askedAt && `${askedBy ?? '–'}, ${at(askedAt)}` },
          { id: 'started', name: t('run.started'), value: at(startedAt) },
          { id: 'ended', name: t('run.ended'), value: at(endedAt) },
          { id: 'took', name: t('run.took'), value: tookMs !== null && tookText(tookMs) },
          { id: 'tries', name: t('run.tries'), value: tries > 1 && formatCount(tries) },
          { id: 'error', name: t('run.error'), value: error && <code>{error}</code> },
        ]}
      />
      {status !== 'DONE' && <p>{t(`run.status.${status}.text`)}</p>}
      <section className={css.part}>
        <h3>{t('run.done')}</h3>
        {doneOf(run).length === 0 ? (
          <p className={css.none}>{t('run.nothing')}</p>
        ) : (
          <Facts
            rows={doneOf(run).map(({ name, text, n }) => ({ id: name, name: text, value: formatCount(n) }))}
          />
        )}
      </section>
      {quarantined.length > 0 && <Quarantined quarantined={quarantined} />}
    </Panel>
  )
}

/** An invoice or a claim is opened where it is worked on. */
function hrefOf(about: string): string | undefined {
  const [, type, id] = /\b(invoice|claim) ([0-9a-f-]{36})$/.exec(about) ?? []
  if (id === undefined) return undefined
  return hashOf({ view: type === 'claim' ? 'claims' : 'invoices', id })
}

/** What failed and was left, each with the code of its error. */
function Quarantined({ quarantined }: Pick<Run, 'quarantined'>) {
  return (
    <section className={css.part}>
      <h3>{t('run.left')}</h3>
      <p className={css.none}>{t('run.left.text')}</p>
      <ul className={css.left}>
        {quarantined.map(({ about, error }) => {
          const href = hrefOf(about)
          return (
            <li key={about}>
              {href ? <a href={href}>{about}</a> : <code>{about}</code>}
              {error && <code className={css.code}>{error}</code>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
