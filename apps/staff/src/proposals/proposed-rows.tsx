import { BY_BANK } from '@kvitt/domain/refunds/refund.ts'
import { NOT_AGREED, type ChargeOwner } from '@kvitt/domain/ledger/charge-owner.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useQuery } from '@tanstack/react-query'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { accountNumber, schemeName } from '../shell/account-number.ts'
import { gatewayName } from '../shell/gateway-name.ts'
import { SETTING_TERMS, termText, type SettingTerm } from '../shell/offers/setting-words.ts'
import { useRight } from '../shell/me.ts'
import { t, type MessageId } from '../text.ts'
import { receiversQuery, type Proposal, type Receiver } from './proposal-calls.ts'
import css from './proposal-page.module.css'
import { FIGURE_NAMES, saidFigure, type FigureTerm } from './said-figure.ts'
import { ISSUER_TERMS, saidIssuer, withSecret } from './said-issuer.ts'

type State = Proposal['before']

/** The names that have words; what else a proposal holds is for the machine. */
const NAMES = [
  'creditor',
  'debt',
  'debtOwes',
  'owed',
  'to',
  'toDebtor',
  'toOwes',
  'owedBack',
  'way',
  'entry',
  'bankDate',
  'number',
  'period',
  'status',
  'amount',
  'paidTwice',
  'leftWith',
  'count',
  'currency',
  'scheme',
  'account',
  'bic',
  'receiverName',
  'holder',
  'from',
  'executionDate',
  'name',
  'email',
  'role',
  'reason',
] as const
type Name = (typeof NAMES)[number]
/** What rows of a file come to be. */
const OF_ROWS: Readonly<Partial<Record<string, MessageId>>> = {
  NOT_EXECUTED: 'payout.status.NOT_EXECUTED',
  NOT_ORDERED: 'payout.status.NOT_EXECUTED',
  PAID_TWICE: 'payout.status.PAID_TWICE',
}
const SUMS: readonly Name[] = ['amount', 'paidTwice', 'leftWith', 'owed', 'debtOwes', 'toOwes', 'owedBack']

/** Of an agreement, as the creditor's own page calls them. */
const TERMS = [
  'from',
  'currency',
  'invoiceCommissionPercent',
  'claimCommissionPercent',
  'paymentPrice',
  'casePrice',
  'vatPercent',
  'period',
  'smallestPayout',
  'source',
] as const
type Term = (typeof TERMS)[number]
const PRICES: readonly Term[] = ['paymentPrice', 'casePrice', 'smallestPayout']

const minorOfText = (text: string): number => Math.round(Number(text) * 100)

function said(state: State, name: Name): string {
  const value = state[name]
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
  if (name === 'to' && text === 'SUSPENSE') return t('view.suspense')
  if (SUMS.includes(name)) return formatMoney(minorOfText(text), String(state['currency']), currentLanguage())
  if (name === 'toDebtor') return t(`proposal.debtor.${text as 'SAME'}`)
  if (name === 'status')
    return text === 'SUSPENSE'
      ? t('bank.in_suspense')
      : text === 'SETTLED'
        ? t('bank.booked')
        : OF_ROWS[text] !== undefined
          ? t(OF_ROWS[text])
          : ['TO_APPROVE', 'APPROVED', 'SENT', 'REFUSED'].includes(text)
            ? t(`settlement.status.${text as 'SENT'}`)
            : text
  if (name === 'way') return text === BY_BANK ? t('refund.way.bank') : gatewayName(text)
  if (name === 'entry') return t(`bank.entry.${text as 'FEE'}`)
  if (name === 'bankDate') return formatDay(text)
  if (name === 'holder') return t(`payee.holder.${text as 'INSTANCE'}`)
  if (name === 'role') return t(`role.${text as 'manager'}`)
  if (name === 'scheme') return schemeName(text)
  // Beside an account the number is a settlement's.
  const isAccount = name === 'account' || (name === 'number' && state['account'] === undefined)
  return isAccount ? accountNumber(String(state['scheme']), text) : text
}

function saidTerm(state: State, term: Term): string {
  const value = state[term]
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
  if (term === 'from') return formatDay(text)
  if (term === 'period') return t(`client.period.${text as 'WEEK'}`)
  if (term.endsWith('Percent')) return `${Number(text).toLocaleString(currentLanguage())} %`
  if (PRICES.includes(term))
    return formatMoney(minorOfText(text), String(state['currency']), currentLanguage())
  return text
}

/** Of what debtors are charged, as the creditor's own page calls it. */
const CHARGES = {
  agreedOn: 'client.fee.agreedOn',
  from: 'client.from',
  fees: 'client.owners.fees',
  interest: 'client.owners.interest',
  source: 'client.source',
} as const
type ChargeTerm = keyof typeof CHARGES

function saidCharge(state: State, term: ChargeTerm): string {
  const value = state[term]
  if (term === 'agreedOn' && value === null) return t('client.fee.none')
  if (typeof value !== 'string') return ''
  if (term === 'agreedOn' || term === 'from') return formatDay(value)
  return term === 'source' ? value : t(`client.owner.${value as ChargeOwner}`)
}

const rowsBy =
  <Term extends string>(
    terms: readonly Term[],
    nameOf: (term: Term) => string,
    of: (state: State, term: Term) => string,
  ) =>
  ({ before, after }: Proposal) =>
    terms.map((term) => {
      const was = of(before, term)
      // What is left out stays as it is.
      return { id: term, name: nameOf(term), was, is: term in after ? of(after, term) : was }
    })

const rowsOfTerms = rowsBy(TERMS, (term) => t(`client.${term}`), saidTerm)
const rowsOfCharges = rowsBy(Object.keys(CHARGES) as ChargeTerm[], (term) => t(CHARGES[term]), saidCharge)
/** What it is to be is told whole: nothing of it stays as it is. */
const rowsOfFigures = ({ before, after }: Proposal) =>
  (Object.keys(FIGURE_NAMES) as FigureTerm[]).map((term) => ({
    id: term,
    name: t(FIGURE_NAMES[term]),
    was: saidFigure(before, term),
    is: saidFigure(after, term),
  }))
/** What is offered on, from a day on: an empty state is a code that nobody has had. */
const rowsOfSettings = rowsBy(
  SETTING_TERMS,
  (term) => t(`setting.${term}`),
  (state, term: SettingTerm) => termText(state, term),
)
const rowsOfIssuers = (proposal: Proposal) =>
  rowsBy(ISSUER_TERMS, (term) => t(`issuer.${term}`), saidIssuer)(withSecret(proposal))
const rowsOfNames = rowsBy(NAMES, (name) => t(`proposal.name.${name}`), said)

function rowsOf(proposal: Proposal) {
  const { kind, before } = proposal
  const rows =
    kind === 'agreement'
      ? rowsOfTerms(proposal)
      : kind === 'country_figure'
        ? rowsOfFigures(proposal)
        : kind === 'plan_setting'
          ? rowsOfSettings(proposal)
          : kind === 'sign_in_issuer'
            ? rowsOfIssuers(proposal)
            : kind === 'reminder_fee'
              ? rowsOfCharges(proposal)
              : kind === 'charge_owner'
                ? rowsOfCharges({ ...proposal, before: { ...NOT_AGREED, ...before } })
                : rowsOfNames(proposal)
  return rows.filter(({ was, is }) => was !== '' || is !== '')
}

/** What it is beside what it is to be; what changes stands out. */
export function ProposedRows({ proposal }: { proposal: Proposal }) {
  const { before } = proposal
  const rows = rowsOf(proposal)
  return (
    <>
      <section className={css.part}>
        <h2 id="proposal-states">{t('proposal.states')}</h2>
        <div className={css.scroll}>
          <table className={css.states} aria-labelledby="proposal-states">
            <thead>
              <tr>
                <th scope="col">{t('proposal.what')}</th>
                <th scope="col">{t('proposal.before')}</th>
                <th scope="col">{t('proposal.after')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, name, was, is }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td>{was || '–'}</td>
                  <td className={was === is ? undefined : css.new}>{is || '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <Settlements state={before} />
      <Refunds state={before} proposal={proposal} />
    </>
  )
}

type Line = { readonly id: string; readonly [name: string]: unknown }

/** Of a file: each settlement in it, with the account that it goes to. */
function Settlements({ state }: { state: State }) {
  const lines = (state['settlements'] ?? []) as readonly Line[]
  if (lines.length === 0) return null
  return (
    <section className={css.part}>
      <h2 id="proposal-settlements">{t('view.settlements')}</h2>
      <div className={css.scroll}>
        <table className={css.states} aria-labelledby="proposal-settlements">
          <thead>
            <tr>
              <th scope="col">{t('column.creditor')}</th>
              <th scope="col">{t('settlement.number')}</th>
              <th scope="col">{t('proposal.name.receiverName')}</th>
              <th scope="col">{t('proposal.name.account')}</th>
              <th scope="col">{t('proposal.name.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <td>{String(line['creditor'])}</td>
                <td>{String(line['number'])}</td>
                <td>{String(line['receiverName'])}</td>
                <td>{String(line['account'])}</td>
                <td>{said({ ...line, currency: state['currency'] }, 'amount')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The whole account where it is known now. */
function accountOf(row: Receiver | undefined): string | undefined {
  return row?.account ? accountNumber(row.account.scheme, row.account.number) : undefined
}

/** Of a file of what goes back: each of them, with whom it pays while that is decided, and the end of the account afterwards. */
function Refunds({ state, proposal: { id, status } }: { state: State; proposal: Proposal }) {
  const may = useRight('decide_proposals')
  const isOpen = status === 'OPEN' && may && state['refunds'] !== undefined
  const receivers = useQuery({ ...receiversQuery(id), enabled: isOpen })
  const of = new Map(receivers.data?.rows.map((row) => [row.id, row]))
  const lines = (state['refunds'] ?? []) as readonly Line[]
  if (lines.length === 0) return null
  return (
    <section className={css.part}>
      <h2 id="proposal-refunds">{t('view.refunds')}</h2>
      <div className={css.scroll}>
        <table className={css.states} aria-labelledby="proposal-refunds">
          <thead>
            <tr>
              <th scope="col">{t('bank.why')}</th>
              <th scope="col">{t('proposal.name.debt')}</th>
              <th scope="col">{t('proposal.name.receiverName')}</th>
              <th scope="col">{t('proposal.name.account')}</th>
              <th scope="col">{t('proposal.name.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <td>
                  <a href={hashOf({ view: 'refunds', id: line.id })}>
                    {t(`refund.kind.${line['kind'] as 'refund'}`)}
                  </a>
                  {line['wasTried'] === true && ` · ${t('refund.was_tried')}`}
                </td>
                <td>{typeof line['number'] === 'string' ? line['number'] : '–'}</td>
                <td>{of.get(line.id)?.name ?? '–'}</td>
                <td>{accountOf(of.get(line.id)) ?? String(line['account'])}</td>
                <td>{said({ ...line, currency: state['currency'] }, 'amount')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
