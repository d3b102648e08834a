import { COURT_DECISIONS, statusAfter } from '@kvitt/domain/court/court.ts'
import { ActDialog, type ActField, type ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Block } from '../debts/block.tsx'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { reloadAll } from '../shell/reload-all.ts'
import { t } from '../text.ts'
import {
  claimCourtQuery,
  recordApplication,
  recordDecision,
  recordNotApplied,
  returnInstruction,
  type ClaimCourt,
} from './claim-calls.ts'
import css from './claim-court.module.css'

type Court = {
  readonly id: string
  readonly number: string
  readonly currency: string
  readonly today: string
}
type Applied = ClaimCourt['applications'][number]
type Deed = 'application' | 'decision' | 'return' | 'unfiled'

/** A claim before an authority: what is recorded of it, and the forms that record more. */
export function ClaimCourtBlock({ claim }: { claim: Court }) {
  const found = useQuery(claimCourtQuery(claim.id))
  const may = useRight('record_court') && isAdmin
  const court = found.data
  // Before anything has to do with an authority there is nothing to say.
  if (
    court &&
    !may &&
    court.applications.length === 0 &&
    !court.isWanted &&
    !court.returned &&
    !court.unfiled
  )
    return null
  return (
    <Block title={t('court.title')} found={found}>
      {(data) => (
        <div className={css.court}>
          <CourtFacts court={data} claim={claim} />
          {may && <CourtDeeds court={data} claim={claim} />}
        </div>
      )}
    </Block>
  )
}

function CourtFacts({ court, claim }: { court: ClaimCourt; claim: Court }) {
  const { applications, isWanted, returned, unfiled } = court
  const isEmpty = applications.length === 0 && !isWanted && !returned && !unfiled
  return (
    <>
      {isEmpty && <p>{t('court.none')}</p>}
      {isWanted && <p>{t('court.wanted')}</p>}
      {unfiled && (
        <p>
          {t('court.unfiled.charged', {
            day: formatDay(unfiled.on),
            amount: costText(unfiled.amount, claim.currency),
          })}
        </p>
      )}
      {returned && <p>{t('court.returned', { day: formatDay(returned.on), reason: returned.reason })}</p>}
      {applications.length === 0 && <CourtTerms court={court} currency={claim.currency} />}
      {applications.map((one) => (
        <Facts
          key={one.caseNumber}
          rows={[
            { id: 'filed', name: t('court.filed'), value: `${formatDay(one.date)}, ${one.authority}` },
            { id: 'case', name: t('court.case'), value: one.caseNumber },
            { id: 'status', name: t('invoice.status'), value: t(`court.status.${one.status}`) },
            ...one.decisions.map(({ kind, date }) => ({
              id: kind,
              name: t(`court.decision.${kind}`),
              value: formatDay(date),
            })),
          ]}
        />
      ))}
    </>
  )
}

/** What an application costs, and from when it may be made. */
export function CourtTerms({ court: { cost, earliest }, currency }: { court: ClaimCourt; currency: string }) {
  return (
    <Facts
      rows={[
        { id: 'cost', name: t('court.cost'), value: costText(cost, currency) },
        { id: 'earliest', name: t('court.earliest'), value: earliest && formatDay(earliest) },
      ]}
    />
  )
}

const costText = (cost: number | null, currency: string): string =>
  cost === null ? t('court.cost_unknown') : formatMoney(minorOf(cost), currency, currentLanguage())

/** What can be recorded where it stands; `onDone` is told what was. */
export function CourtDeeds({
  court,
  claim,
  onDone,
}: {
  court: ClaimCourt
  claim: Court
  onDone?: () => void
}) {
  const [deed, setDeed] = useState<Deed>()
  const open = court.applications.filter(({ status }) =>
    COURT_DECISIONS.some((kind) => statusAfter(status, kind)),
  )
  const stands = court.applications.some(({ status }) => status !== 'REJECTED' && status !== 'WITHDRAWN')
  const close = () => setDeed(undefined)
  const form = {
    application: () => applicationForm(claim, court),
    decision: () => decisionForm(claim, open),
    return: returnForm,
    unfiled: () => unfiledForm(claim, court),
  }
  const does = {
    application: recordApplication,
    decision: recordDecision,
    return: returnInstruction,
    unfiled: recordNotApplied,
  }
  return (
    <div className={css.acts}>
      {!stands && (
        <OfficeButton look={court.isWanted ? 'primary' : 'secondary'} onClick={() => setDeed('application')}>
          {t('court.application')}
        </OfficeButton>
      )}
      {open.length > 0 && (
        <OfficeButton onClick={() => setDeed('decision')}>{t('court.decide')}</OfficeButton>
      )}
      {court.isWanted && <OfficeButton onClick={() => setDeed('return')}>{t('court.return')}</OfficeButton>}
      {court.unfiled && <OfficeButton onClick={() => setDeed('unfiled')}>{t('court.unfiled')}</OfficeButton>}
      {deed && (
        <ActDialog
          form={form[deed]()}
          onCommit={(values, key) => does[deed](claim.id, values, key)}
          onClose={close}
          onDone={() => {
            close()
            reloadAll()
            onDone?.()
          }}
        />
      )}
    </div>
  )
}

const LONGEST = 500
const words = (name: string, label: string, isMandatory: boolean): ActField => ({
  name,
  type: 'text',
  look: 'area',
  label,
  mandatory: isMandatory,
  check: (value) => (value.length > LONGEST ? t('field.tooLongValidError', { max: LONGEST }) : undefined),
})
const line = (name: string, label: string, initial = ''): ActField => ({
  name,
  type: 'text',
  label,
  mandatory: true,
  initial,
})
const dayField = (label: string, today: string): ActField => ({
  name: 'date',
  type: 'date',
  look: 'date',
  label,
  mandatory: true,
  max: today,
  initial: today,
  check: (value) => (value <= today ? undefined : t('act.date_future')),
})

const applicationForm = ({ number, currency, today }: Court, { cost }: ClaimCourt): ActForm => ({
  title: t('court.application'),
  consequence:
    cost === null
      ? t('court.application.unknown', { number })
      : t('court.application.text', { number, amount: costText(cost, currency) }),
  fields: [
    dayField(t('court.filed_on'), today),
    line('authority', t('court.authority')),
    line('caseNumber', t('court.case')),
    words('note', t('act.note'), false),
  ],
  commit: t('court.application.commit'),
  done: t('court.application.done', { number }),
})

const decisionForm = ({ number, today }: Court, open: readonly Applied[]): ActForm => ({
  title: t('court.decide'),
  consequence: t('court.decide.text', { number }),
  fields: [
    {
      name: 'kind',
      type: 'text',
      look: 'choice',
      label: t('court.decided'),
      initial: COURT_DECISIONS[0],
      choices: COURT_DECISIONS.filter((kind) => open.some(({ status }) => statusAfter(status, kind))).map(
        (kind) => ({
          value: kind,
          text: t(`court.decision.${kind}`),
          hint: t(`court.decision.${kind}.text`),
        }),
      ),
    },
    dayField(t('court.decided_on'), today),
    line('caseNumber', t('court.case'), open.at(-1)?.caseNumber),
    words('note', t('act.note'), false),
  ],
  commit: t('court.decide.commit'),
  done: t('court.decide.done', { number }),
})

const returnForm = (): ActForm => ({
  title: t('court.return'),
  consequence: t('court.return.text'),
  fields: [words('reason', t('act.reason'), true)],
  commit: t('court.return'),
  done: t('court.return.done'),
})

/** What an earlier version charged without anybody having filed it. */
const unfiledForm = ({ number, currency }: Court, { unfiled }: ClaimCourt): ActForm => ({
  title: t('court.unfiled'),
  consequence: t('court.unfiled.text', { number, amount: costText(unfiled?.amount ?? null, currency) }),
  fields: [words('note', t('act.note'), false)],
  commit: t('court.unfiled.commit'),
  done: t('court.unfiled.done', { number }),
  isFinal: true,
})
