import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { report } from '@kvitt/office/messages/messages.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { KeyCap } from '@kvitt/office/parts/key-cap.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useState, type ReactNode } from 'react'
import { api, queries } from '../calls.ts'
import { t, type MessageId } from '../text.ts'
import { ACT_KEYS, bodyOf, formOf, type ActedDebt, type DebtAct } from './debt-acts.ts'
import { askLater } from '../shell/later.ts'
import css from './act-list.module.css'

export type OfferedAct = {
  readonly act: DebtAct
  readonly isOpen: boolean
  /** Why it is not open now. */
  readonly message: string | null
  /** What the creditor gives up when all of it is done; null where nobody can say it before. */
  readonly cost: number | null
}

type ActListProps = {
  acts: readonly OfferedAct[]
  debt: ActedDebt
  /** The address of the invoice or the claim, below `/api`. */
  path: string
  /** What a dialog says besides, such as the days and fees to come. */
  moreOf?: (act: DebtAct) => ReactNode
  /** Where one goes when there is nothing left to look at. */
  onWithdrawn?: () => void
}

/** Every act that is open, each with what it means and what it costs; pressed, it asks for what it needs. */
export function ActList({ acts, debt, path, moreOf, onWithdrawn }: ActListProps) {
  const [chosen, setChosen] = useState<DebtAct>()
  const open = acts.filter(({ isOpen }) => isOpen)
  const closed = acts.filter(({ isOpen }) => !isOpen)
  useKeys(
    Object.fromEntries(
      open.flatMap(({ act }) => {
        const key = ACT_KEYS[act]
        return key ? [[key, () => setChosen(act)]] : []
      }),
    ),
  )
  if (acts.length === 0) return null
  return (
    <section className={css.acts} aria-label={t('act.title')}>
      <header className={css.head}>
        <h2>{t('act.title')}</h2>
        {open.length > 0 && <span>{t('act.cost')}</span>}
      </header>
      {open.length === 0 && <p className={css.hint}>{t('act.none')}</p>}
      {open.length > 0 && (
        <ul className={css.list}>
          {open.map((offer) => (
            <li key={offer.act}>
              <Act offer={offer} debt={debt} onChoose={() => setChosen(offer.act)} />
            </li>
          ))}
        </ul>
      )}
      {closed.length > 0 && <ClosedActs acts={closed} debt={debt} />}
      {chosen && (
        <ActDialog
          form={{
            ...formOf(chosen, debt),
            more: moreOf?.(chosen),
            isSilent: LATER.includes(chosen) || chosen === 'write-off',
          }}
          onCommit={(values, key) => perform({ path, debt }, chosen, { values, key })}
          onClose={() => setChosen(undefined)}
          onDone={() => {
            setChosen(undefined)
            if (chosen === 'withdraw') onWithdrawn?.()
            // Everything about debts may have changed, and with it what is to do.
            void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
          }}
        />
      )}
    </section>
  )
}

function Act({ offer, debt, onChoose }: { offer: OfferedAct; debt: ActedDebt; onChoose: () => void }) {
  const { act, cost } = offer
  const key = ACT_KEYS[act]
  return (
    <button type="button" className={css.act} onClick={onChoose}>
      <span className={css.cap}>{key && <KeyCap>{key.toUpperCase()}</KeyCap>}</span>
      <span className={css.words}>
        <span className={css.name}>{formOf(act, debt).title}</span>
        <span className={css.hint}>{t(`act.${act}.hint` as MessageId)}</span>
      </span>
      {cost !== null && (
        <span className={css.cost}>
          <Figure minor={minorOf(cost)} currency={debt.currency} isBare />
        </span>
      )}
    </button>
  )
}

/** Why the others are not open: each reason once, with the acts that it keeps. */
function ClosedActs({ acts, debt }: { acts: readonly OfferedAct[]; debt: ActedDebt }) {
  const messages = [...new Set(acts.map(({ message }) => message))]
  return (
    <details className={css.closed}>
      <summary>{t('act.closed')}</summary>
      <dl>
        {messages.map((message) => (
          <div key={message ?? ''}>
            <dt>
              {acts
                .filter((offer) => offer.message === message)
                .map(({ act }) => formOf(act, debt).title)
                .join(', ')}
            </dt>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

type Given = { readonly values: Readonly<Record<string, string>>; readonly key: string }

/** What can be taken back for some seconds. */
const LATER: readonly DebtAct[] = ['approve', 'pause', 'credit']

async function perform(
  { path, debt }: { readonly path: string; readonly debt: ActedDebt },
  act: DebtAct,
  { values, key }: Given,
): Promise<unknown> {
  const headers = { 'Idempotency-Key': key }
  if (act === 'withdraw') return api.ask({ method: 'DELETE', path }, { headers })
  const body = bodyOf(act, values)
  if (LATER.includes(act)) {
    const { title, done } = formOf(act, debt)
    return askLater({
      path: `${path}/${act}`,
      ...(Object.keys(body).length === 0 ? {} : { body }),
      key,
      subject: path,
      waits: t('undo.act', { act: title, number: debt.number }),
      done,
    })
  }
  const sent = Object.keys(body).length === 0 ? { headers } : { headers, body }
  const answer: unknown = await api.ask({ method: 'POST', path: `${path}/${act}` }, sent)
  // Above the limit an operator's person has only proposed it.
  const isProposed = typeof answer === 'object' && answer !== null && 'proposedAt' in answer
  if (act === 'write-off') report('ok', isProposed ? t('proposal.proposed') : formOf(act, debt).done)
  return answer
}
