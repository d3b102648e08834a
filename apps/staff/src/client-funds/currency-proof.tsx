import { failureText } from '@kvitt/office/calls.ts'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountNumber, schemeName } from '../shell/account-number.ts'
import { t } from '../text.ts'
import { itemsQuery, type ItemsOf, type Proof, type ProofTerm } from './client-funds-calls.ts'
import css from './client-funds.module.css'
import { hrefOfItem, nameOfItem } from './proof-items.ts'

const TONES: Readonly<Record<Proof['verdict'], ChipTone>> = {
  AGREES: 'ok',
  DIFFERS: 'bad',
  NO_STATEMENT: 'outline',
}

type ProofProps = { day: string; proof: Proof }

const moneyText = (amount: number, currency: string): string =>
  formatMoney(Math.abs(minorOf(amount)), currency, currentLanguage())

const hrefOfDay = (day: string): string => hashOf({ view: 'client-funds' }, { day })

/** The equation of one currency: what came of it, each term, and the accounts at the bank. */
export function CurrencyProof({ day, proof }: ProofProps) {
  const { currency, verdict } = proof
  return (
    <section className={css.part} aria-label={currency}>
      <h2 className={css.head}>
        {currency} <Chip tone={TONES[verdict]}>{t(`funds.verdict.${verdict}`)}</Chip>
      </h2>
      <Verdict proof={proof} />
      <div className={css.sides}>
        <Side day={day} proof={proof} side="HAVE" />
        <Side day={day} proof={proof} side="OWE" />
      </div>
      <Accounts proof={proof} />
    </section>
  )
}

/** In words: that it agrees; or by how much not, since when, and what to do; or why nobody can tell. */
function Verdict({ proof }: { proof: Proof }) {
  const { currency, verdict, difference, since, lastCovered, enteredLast, waitingLines } = proof
  return (
    <div className={css.sentence}>
      {waitingLines > 0 && <p>{t('funds.waiting', { count: waitingLines })}</p>}
      {verdict === 'AGREES' && (
        <p>
          {t(proof.terms.some(({ term }) => term === 'before_books') ? 'funds.agrees_but' : 'funds.agrees')}
        </p>
      )}
      {verdict === 'DIFFERS' && difference !== null && since !== null && (
        <>
          <p className={css.bad}>
            {t(difference > 0 ? 'funds.more' : 'funds.less', {
              amount: moneyText(difference, currency),
              day: formatDay(since),
            })}
          </p>
          <p>{t('funds.todo')}</p>
          <Changes proof={proof} />
        </>
      )}
      {verdict === 'NO_STATEMENT' &&
        (lastCovered === null ? (
          <p>{t('funds.never_covered')}</p>
        ) : (
          <p>
            {t('funds.not_covered')}{' '}
            <a href={hrefOfDay(lastCovered)}>{t('funds.last_covered', { day: formatDay(lastCovered) })}</a>
          </p>
        ))}
      {enteredLast !== null && <p>{t('funds.entered_last', { day: formatDay(enteredLast) })}</p>}
    </div>
  )
}

function Changes({ proof: { changes, currency } }: { proof: Proof }) {
  return (
    <div className={css.changes}>
      <h3>{t('funds.changes')}</h3>
      <ul className={css.list}>
        {changes.map(({ day, amount }) => (
          <li key={day}>
            <a href={hrefOfDay(day)}>{formatDay(day)}</a>
            <Figure minor={minorOf(amount)} currency={currency} />
          </li>
        ))}
      </ul>
      <OfficeLink href={hashOf({ view: 'payment-batches' })}>{t('view.payment-batches')}</OfficeLink>
    </div>
  )
}

function Side({ day, proof: { currency, terms }, side }: ProofProps & { side: ProofTerm['side'] }) {
  const own = terms.filter((term) => term.side === side)
  const isKnown = own.every(({ amount }) => amount !== null)
  const total = own.reduce((sum, { amount }) => sum + minorOf(amount ?? 0), 0)
  return (
    <div className={css.side}>
      <h3>{t(`funds.${side}`)}</h3>
      {own.map((term) => (
        <Term key={term.term} of={{ day, currency, term: term.term }} amount={term.amount} />
      ))}
      <p className={css.total}>
        <span>{t(`funds.${side}`)}</span>
        {isKnown ? (
          <span className={css.sum}>
            <Figure minor={total} currency={currency} />
          </span>
        ) : (
          t('funds.unknown')
        )}
      </p>
    </div>
  )
}

/** A term, which opens into what it is made of. */
function Term({ of, amount }: { of: ItemsOf; amount: number | null }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.term} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span>{t(`funds.term.${of.term}`)}</span>
        {amount === null ? t('funds.unknown') : <Figure minor={minorOf(amount)} currency={of.currency} />}
      </summary>
      <p className={css.about}>{t(`funds.about.${of.term}`)}</p>
      {isOpen && amount !== null && <Items of={of} />}
    </details>
  )
}

function Items({ of }: { of: ItemsOf }) {
  const found = useQuery(itemsQuery(of))
  if (found.isError) return <p className={css.about}>{failureText(found.error)}</p>
  if (!found.data) return <p className={css.about} aria-busy="true" />
  const { items, rest } = found.data
  if (items.length === 0 && rest === 0) return <p className={css.about}>{t('funds.items.none')}</p>
  return (
    <ul className={css.list} aria-label={t(`funds.term.${of.term}`)}>
      {items.map((item, at) => (
        // Lines of a day have no identifier of their own, and the list never changes its order.
        <li key={`${item.kind} ${item.id ?? at}`}>
          <a href={hrefOfItem(item)}>{nameOfItem(item)}</a>
          <Figure minor={minorOf(item.amount)} currency={of.currency} />
        </li>
      ))}
      {rest !== 0 && (
        <li>
          <span>{t('funds.items.rest')}</span>
          <Figure minor={minorOf(rest)} currency={of.currency} />
        </li>
      )}
    </ul>
  )
}

function Accounts({ proof: { accounts, currency } }: { proof: Proof }) {
  if (accounts.length === 0) return null
  return (
    <div className={css.accounts}>
      <h3>{t('funds.accounts')}</h3>
      <ul className={css.list}>
        {accounts.map(({ id, scheme, number, creditor, balance, statementOn, difference, since }) => (
          <li key={id}>
            <span>
              <a href={hashOf({ view: 'payment-batches', id: 'accounts' })}>
                {schemeName(scheme)} {accountNumber(scheme, number)}
              </a>
              {creditor && ` ${creditor.name}`}
              {balance === null && (
                <span className={css.note}>
                  {statementOn === null
                    ? t('funds.account.none')
                    : t('funds.account.last', { day: formatDay(statementOn) })}
                </span>
              )}
              {difference !== null && difference !== 0 && since !== null && (
                <span className={css.note} data-bad="true">
                  {t('funds.account.differs', {
                    amount: moneyText(difference, currency),
                    day: formatDay(since),
                  })}
                </span>
              )}
            </span>
            {balance === null ? (
              <span>{t('funds.unknown')}</span>
            ) : (
              <Figure minor={minorOf(balance)} currency={currency} />
            )}
          </li>
        ))}
      </ul>
      {accounts.length > 1 && <p className={css.about}>{t('funds.together')}</p>}
    </div>
  )
}
