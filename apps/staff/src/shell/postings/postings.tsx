import { Figure } from '@kvitt/office/parts/figure.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { previewPlacement } from '@kvitt/domain/bank-files/suspense.contract.ts'
import { t, type MessageId } from '../../text.ts'
import css from './postings.module.css'

export type Preview = AnswerOf<typeof previewPlacement>

/** What the books keep of it beside: the counterweights of what is paid, of no news to whoever places it. */
const BESIDE: ReadonlySet<string> = new Set([
  'claims_on_debtors',
  'held_for_creditor',
  'paid_to_creditor',
  'clearing',
])

const OWN: Readonly<Partial<Record<string, MessageId>>> = {
  bank_fees: 'funds.term.bank_fees',
  bank_interest: 'funds.term.bank_interest',
  paid_twice: 'funds.term.paid_twice',
  operator_fees: 'funds.term.fees',
}

function nameOf({ account, number, name }: Preview['postings'][number]): string {
  if (account === 'suspense') return t('bank.in_suspense')
  if (account === 'credit' || account === 'credit_at_creditor')
    return t('bank.owed_back', { name: name ?? '' })
  const own = OWN[account]
  if (own) return t(own)
  if (account === 'on_its_way') return t('bank.posting.on_its_way')
  if (account === 'held') return t('bank.posting.held', { name: name ?? '' })
  if (account === 'advance') return t('bank.posting.advance', { name: name ?? '' })
  const part = account === 'costs' || account === 'interest' ? account : 'principal'
  return `${number ?? ''}, ${t(`bank.part.${part}`)}`
}

/** What placing or entering the money would write in the books. */
export function Postings({ preview: { postings, after }, currency }: { preview: Preview; currency: string }) {
  return (
    <section>
      <h3 className={css.head}>{t('bank.postings')}</h3>
      <dl className={css.postings}>
        {postings
          .filter(({ account }) => !BESIDE.has(account))
          .map((posting) => (
            <div key={`${posting.account} ${posting.number} ${posting.name}`}>
              <dt>{nameOf(posting)}</dt>
              <dd>
                <Figure minor={-minorOf(posting.amount)} currency={currency} />
              </dd>
            </div>
          ))}
        {after.map(({ id, number, owed }) => (
          <div key={id} className={css.total}>
            <dt>{t('bank.afterwards', { number })}</dt>
            <dd>
              <Figure minor={minorOf(owed)} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
