import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { LegalHolds } from './legal-holds.tsx'
import { PlainTable } from './plain-table.tsx'
import {
  approveRun,
  findOver,
  retentionQuery,
  type Retention,
  type RetentionRule,
  type RetentionRun,
} from './retention-calls.ts'

/** How long what is about people is kept, what is over its time, and who let it go. */
export default function DataProtectionPage() {
  usePageName(t('view.data-protection'))
  const found = useQuery(retentionQuery)
  const today = useQuery(todayQuery).data ?? ''
  const may = useRight('erase')
  const look = useMutation({ mutationFn: findOver, meta: { done: t('retention.looked') } })
  return (
    <>
      <Bar
        title={t('view.data-protection')}
        actions={
          may && (
            <OfficeButton isBusy={look.isPending} onClick={() => look.mutate()}>
              {t('retention.look')}
            </OfficeButton>
          )
        }
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={8} />}
      {found.data && <Parts retention={found.data} today={today} />}
    </>
  )
}

function Parts({ retention, today }: { retention: Retention; today: string }) {
  const waiting = retention.runs.find(({ status }) => status === 'FOUND')
  const past = retention.runs.filter(({ status }) => status !== 'FOUND')
  return (
    <>
      {waiting ? (
        <Waiting run={waiting} today={today} />
      ) : (
        <NothingLeft title={t('retention.nothing')}>
          <p>{t('retention.nothing_text')}</p>
        </NothingLeft>
      )}
      <LegalHolds today={today} />
      <section>
        <h2 className={css.head}>{t('retention.rules')}</h2>
        <PlainTable
          label={t('retention.rules')}
          columns={ruleColumns()}
          rows={retention.rules}
          idOf={({ kind }) => kind}
        />
        <p className={css.note}>{t('retention.by_itself')}</p>
      </section>
      {past.length > 0 && (
        <section>
          <h2 className={css.head}>{t('retention.past')}</h2>
          <PlainTable label={t('retention.past')} columns={runColumns()} rows={past} idOf={({ id }) => id} />
        </section>
      )}
    </>
  )
}

/** What was found and waits for a person: by kind, with the oldest and a few ids. */
function Waiting({ run, today }: { run: RetentionRun; today: string }) {
  const [isOpen, setOpen] = useState(false)
  const may = useRight('erase')
  return (
    <section>
      <div className={css.waiting}>
        <div>
          <h2>{t('retention.found', { n: formatCount(run.count) })}</h2>
          <p>{t('retention.found_text', { at: momentText(run.foundAt) })}</p>
        </div>
        {may && (
          <OfficeButton look="primary" onClick={() => setOpen(true)}>
            {t('retention.approve')}
          </OfficeButton>
        )}
      </div>
      <PlainTable
        label={t('retention.found', { n: formatCount(run.count) })}
        columns={foundColumns(today)}
        rows={run.found}
        idOf={({ kind }) => kind}
      />
      {isOpen && (
        <ActDialog
          form={{
            title: t('retention.approve_title', { n: formatCount(run.count - run.held) }),
            consequence: t('retention.approve_text'),
            fields: [{ name: 'reason', type: 'text', label: t('audit.reason'), mandatory: true }],
            commit: t('retention.approve_commit'),
            isFinal: true,
            done: t('retention.approved'),
          }}
          remedyFor={remedyFor}
          onCommit={({ reason = '' }) =>
            approveRun({ run: run.id, count: run.count, held: run.held, reason })
          }
          onDone={() => setOpen(false)}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}

/** How much is kept, and why: by which holds, and how much because a copy was asked for. */
function heldText(held: number, holds: readonly string[], asked: number): string {
  if (held === 0) return '–'
  const n = formatCount(held)
  const ids = holds.map((id) => id.slice(-8)).join(' ')
  return [
    ...(holds.length > 0 ? [t('hold.in_run', { n, holds: ids })] : []),
    ...(asked > 0 ? [t('retention.asked', { n: formatCount(asked) })] : []),
  ].join(', ')
}

const foundColumns = (today: string): readonly Column<RetentionRun['found'][number]>[] => [
  {
    id: 'kind',
    head: t('retention.what'),
    cell: ({ kind }) => t(`retention.kind.${kind}`),
  },
  {
    id: 'becomes',
    head: t('retention.becomes'),
    cell: ({ kind }) => t(`retention.becomes.${kind}`),
  },
  {
    id: 'count',
    head: t('retention.count'),
    align: 'end',
    look: 'strong',
    cell: ({ count }) => formatCount(count),
  },
  {
    id: 'held',
    head: t('hold.keeps'),
    cell: ({ held, holds, asked }) => heldText(held, holds, asked),
  },
  { id: 'oldest', head: t('retention.oldest'), cell: ({ oldest }) => dayText(oldest, today) },
  {
    id: 'samples',
    head: t('retention.samples'),
    look: 'quiet',
    cell: ({ samples }) => <code className={css.ids}>{samples.map((id) => id.slice(0, 8)).join(' ')}</code>,
  },
]

const periodOf = ({ months, years }: RetentionRule): string =>
  months === null ? t('retention.years', { n: years ?? 0 }) : t('retention.months', { n: months })

const ruleColumns = (): readonly Column<RetentionRule>[] => [
  {
    id: 'kind',
    head: t('retention.what'),
    cell: ({ kind }) => t(`retention.kind.${kind}`),
  },
  { id: 'period', head: t('retention.kept'), cell: periodOf },
  { id: 'ground', head: t('retention.ground'), cell: ({ ground }) => ground || '–' },
  {
    id: 'confirmed',
    head: t('retention.checked'),
    cell: ({ isConfirmed }) => !isConfirmed && <Chip tone="warn">{t('retention.not_confirmed')}</Chip>,
  },
]

const runColumns = (): readonly Column<RetentionRun>[] => [
  {
    id: 'approved',
    head: t('retention.approved_at'),
    cell: ({ approvedAt }) => (approvedAt === null ? '–' : momentText(approvedAt)),
  },
  { id: 'by', head: t('audit.who'), cell: ({ approvedBy }) => approvedBy ?? '–' },
  { id: 'reason', head: t('audit.reason'), cell: ({ reason }) => reason ?? '–' },
  {
    id: 'of',
    head: t('retention.of'),
    look: 'quiet',
    cell: ({ isOfOne }) => t(isOfOne ? 'retention.of_one' : 'retention.of_all'),
  },
  {
    id: 'done',
    head: t('retention.done'),
    align: 'end',
    cell: ({ done, count }) => t('retention.done_of', { n: formatCount(done), all: formatCount(count) }),
  },
  {
    id: 'left',
    head: t('retention.left'),
    align: 'end',
    look: 'quiet',
    cell: ({ left }) => (left > 0 ? formatCount(left) : '–'),
  },
]
