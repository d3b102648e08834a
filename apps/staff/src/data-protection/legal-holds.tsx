import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import type { Column } from '@kvitt/office/list/data-table.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { remedyFor } from '../shell/fresh-sign-in.tsx'
import { useRight } from '../shell/me.ts'
import { t } from '../text.ts'
import css from './data-protection.module.css'
import { holdsQuery, liftHold, setHold, type LegalHold } from './hold-calls.ts'
import { PlainTable } from './plain-table.tsx'

/** Who is held, why and since when; and for a manager to hold somebody or let go again. */
export function LegalHolds({ today }: { today: string }) {
  const [isSetting, setSetting] = useState(false)
  const [lifting, setLifting] = useState<LegalHold>()
  const may = useRight('erase')
  const found = useQuery(holdsQuery)
  const holds = found.data?.holds ?? []
  return (
    <section>
      <div className={css.waiting}>
        <div>
          <h2>{t('hold.title')}</h2>
          <p>{t('hold.text')}</p>
        </div>
        {may && <OfficeButton onClick={() => setSetting(true)}>{t('hold.set')}</OfficeButton>}
      </div>
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && holds.length === 0 && <p className={css.note}>{t('hold.none')}</p>}
      {holds.length > 0 && (
        <PlainTable
          label={t('hold.title')}
          columns={holdColumns(today, may ? setLifting : undefined)}
          rows={holds}
          idOf={({ id }) => id}
        />
      )}
      {isSetting && <SetHold today={today} onClose={() => setSetting(false)} />}
      {lifting && (
        <ActDialog
          form={{
            title: t('hold.lift_title', { name: lifting.name }),
            consequence: t('hold.lift_text'),
            fields: [{ name: 'reason', type: 'text', label: t('audit.reason'), mandatory: true }],
            commit: t('hold.lift_commit'),
            isFinal: true,
            done: t('hold.lift_done'),
          }}
          remedyFor={remedyFor}
          onCommit={({ reason = '' }) => liftHold(lifting.id, reason)}
          onDone={() => setLifting(undefined)}
          onClose={() => setLifting(undefined)}
        />
      )}
    </section>
  )
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

function SetHold({ today, onClose }: { today: string; onClose: () => void }) {
  return (
    <ActDialog
      form={{
        title: t('hold.set_title'),
        consequence: t('hold.set_text'),
        fields: [
          {
            name: 'debtor',
            type: 'text',
            label: t('hold.debtor'),
            hint: t('hold.debtor_hint'),
            mandatory: true,
            check: (value) => (ID.test(value) ? undefined : t('hold.debtor_wrong')),
          },
          {
            name: 'from',
            type: 'date',
            look: 'date',
            label: t('hold.from'),
            mandatory: true,
            initial: today,
          },
          { name: 'until', type: 'date', look: 'date', label: t('hold.until'), hint: t('hold.until_hint') },
          {
            name: 'reason',
            type: 'text',
            label: t('audit.reason'),
            hint: t('hold.reason_hint'),
            mandatory: true,
          },
          {
            name: 'source',
            type: 'text',
            label: t('hold.source'),
            hint: t('hold.source_hint'),
            mandatory: true,
          },
        ],
        commit: t('hold.commit'),
        done: t('hold.done'),
      }}
      remedyFor={remedyFor}
      onCommit={({ debtor = '', from = '', until = '', reason = '', source = '' }, key) =>
        setHold(
          {
            debtor: ID.exec(debtor)?.[0] ?? '',
            from,
            until: until === '' ? null : until,
            reason,
            source,
          },
          key,
        )
      }
      onDone={onClose}
      onClose={onClose}
    />
  )
}

const holdColumns = (
  today: string,
  onLift: ((hold: LegalHold) => void) | undefined,
): readonly Column<LegalHold>[] => [
  {
    id: 'debtor',
    head: t('hold.debtor'),
    cell: ({ debtor, name }) => <a href={hashOf({ view: 'debtors', id: debtor })}>{name}</a>,
  },
  {
    id: 'period',
    head: t('hold.period'),
    cell: ({ from, until }) =>
      `${dayText(from, today)} – ${until === null ? t('hold.open_end') : dayText(until, today)}`,
  },
  { id: 'reason', head: t('audit.reason'), cell: ({ reason }) => reason },
  { id: 'source', head: t('hold.source'), cell: ({ source }) => source },
  {
    id: 'set',
    head: t('hold.set_by'),
    look: 'quiet',
    cell: ({ setAt, setBy }) => `${momentText(setAt)}, ${setBy}`,
  },
  {
    id: 'keeps',
    head: t('hold.keeps'),
    cell: ({ keeps }) =>
      keeps.length === 0
        ? '–'
        : keeps.map(({ kind, count }) => `${t(`retention.kind.${kind}`)}: ${formatCount(count)}`).join(' · '),
  },
  { id: 'state', head: t('hold.state'), cell: (hold) => stateOf(hold) },
  ...(onLift
    ? [
        {
          id: 'lift',
          head: t('hold.lift_commit'),
          align: 'end' as const,
          cell: (hold: LegalHold) =>
            (hold.state === 'STANDING' || hold.state === 'AHEAD') && (
              <OfficeButton onClick={() => onLift(hold)}>{t('hold.lift')}</OfficeButton>
            ),
        },
      ]
    : []),
]

function stateOf({ id, state, liftedAt, liftedBy, liftReason }: LegalHold) {
  if (liftedAt !== null)
    return t('hold.lifted', { at: momentText(liftedAt), by: liftedBy ?? '', reason: liftReason ?? '' })
  if (state !== 'STANDING') return t(state === 'AHEAD' ? 'hold.ahead' : 'hold.over')
  return (
    <>
      <Chip tone="warn">{t('hold.standing')}</Chip> <code className={css.ids}>{id.slice(-8)}</code>
    </>
  )
}
