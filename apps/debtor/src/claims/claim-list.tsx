import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useIsWide } from '@kvitt/ui/shell/wide.ts'
import { useQuery } from '@tanstack/react-query'
import { logoQuery } from '../debts/list-calls.ts'
import type { DebtKey } from '../session.ts'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import css from '../debts/debt-list.module.css'
import { openFromList, openFromRow } from '../debts/open-from-list.ts'
import { t } from '../text.ts'
import { claimHash } from '../views.ts'
import { ClaimTag } from './claim-tag.tsx'

export function claimKeyOf({ paymentReference, zip, collectionBatchNumber }: ClaimAnswer): DebtKey {
  return { reference: paymentReference, zip, claimNumber: collectionBatchNumber }
}

const hashOf = (claim: ClaimAnswer): string => claimHash(claimKeyOf(claim))

const isOver = ({ status }: ClaimAnswer): boolean => status === 'CLOSED' || status === 'STOPPED'

type ListProps = { claims: readonly ClaimAnswer[]; labelledBy: string }

/** Claims as a table on wide screens and as cards on narrow ones. */
export function ClaimList({ claims, labelledBy }: ListProps) {
  const isWide = useIsWide()
  if (!isWide) {
    return (
      <ul className={css.cards} aria-labelledby={labelledBy}>
        {claims.map((claim) => (
          <ClaimCard key={claim.id} claim={claim} />
        ))}
      </ul>
    )
  }
  return (
    <table className={css.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{t('claim.claim')}</th>
          <th scope="col">{t('invoice.sender')}</th>
          <th scope="col">{t('dashboard.status')}</th>
          <th scope="col">{t('claim.due_by')}</th>
          <th scope="col" className={css.figure}>
            {t('invoice.total_due')}
          </th>
          <th scope="col" className={css.figure}>
            {t('invoice.to_pay')}
          </th>
          <th scope="col">
            <span className="spoken">{t('claim.to_claim')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {claims.map((claim) => (
          <ClaimRow key={claim.id} claim={claim} />
        ))}
      </tbody>
    </table>
  )
}

function Logo({ claim, isSmall = false }: { claim: ClaimAnswer; isSmall?: boolean }) {
  const logo = useQuery(logoQuery(claim.clientName, claimKeyOf(claim)))
  return <CreditorPlate name={claim.clientName} logo={logo.data ?? null} isSmall={isSmall} />
}

/** What is owed, of a plan what no part invoice has asked for yet. A stopped claim owes nothing more. */
const dueOf = (claim: ClaimAnswer): string =>
  formatMoney(isOver(claim) ? 0 : minorOf(claim.balanceTotal), claim.currency, currentLanguage())

function ByInstalments({ claim }: { claim: ClaimAnswer }) {
  if (!claim.isPartPayment || isOver(claim)) return null
  return <span className={css.sub}>{t('dashboard.by_instalments')}</span>
}

function ClaimRow({ claim }: { claim: ClaimAnswer }) {
  const due = dueOf(claim)
  return (
    <tr className={css.row} onClick={(event) => openFromRow(event, hashOf(claim))}>
      <th scope="row" className={css.number}>
        {isOver(claim) ? <NumberLink claim={claim} /> : claim.collectionBatchNumber}
      </th>
      <td className={css.from}>
        <span className={css.sender}>
          <Logo claim={claim} isSmall />
          <span title={claim.clientName}>{claim.clientName}</span>
        </span>
      </td>
      <td className={css.state}>
        <ClaimTag claim={claim} />
      </td>
      <td className={css.day}>{formatDay(claim.expireDate, 'short')}</td>
      <td className={css.figure}>{due}</td>
      <td className={css.toPay}>
        {due}
        <ByInstalments claim={claim} />
      </td>
      <td className={css.go}>{!isOver(claim) && <ToClaim claim={claim} />}</td>
    </tr>
  )
}

/** A closed claim has no "To claim", but is opened all the same. */
function NumberLink({ claim }: { claim: ClaimAnswer }) {
  return (
    <a
      className={css.numberLink}
      href={hashOf(claim)}
      onClick={(event) => openFromList(event, hashOf(claim))}
    >
      {claim.collectionBatchNumber}
    </a>
  )
}

function ToClaim({ claim }: { claim: ClaimAnswer }) {
  return (
    <a className={css.toInvoice} href={hashOf(claim)} onClick={(event) => openFromList(event, hashOf(claim))}>
      <span>
        {t('claim.to_claim')}
        <span className="spoken"> {claim.collectionBatchNumber}</span>
      </span>
      <Icon name="chevron-right" size={20} />
    </a>
  )
}

function ClaimCard({ claim }: { claim: ClaimAnswer }) {
  const heading = t('claim.heading', { number: claim.collectionBatchNumber })
  return (
    // biome-ignore lint: the link inside is what the keyboard uses
    <li className={css.card} onClick={(event) => openFromRow(event, hashOf(claim))}>
      <div className={css.who}>
        <Logo claim={claim} />
        <div>
          <p className={css.name}>{claim.clientName}</p>
          <p className={css.sub}>
            {isOver(claim) ? (
              <a href={hashOf(claim)} onClick={(event) => openFromList(event, hashOf(claim))}>
                {heading}
              </a>
            ) : (
              heading
            )}
          </p>
        </div>
      </div>
      <div className={css.sum}>
        <div>
          <p className={css.sub}>{t('invoice.to_pay')}</p>
          <p className={css.amount}>{dueOf(claim)}</p>
        </div>
        <ClaimTag claim={claim} />
      </div>
      <ByInstalments claim={claim} />
      {!isOver(claim) && <ToClaim claim={claim} />}
    </li>
  )
}
