import type { ClaimAnswer, ClaimInvoiceAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { useRef } from 'react'
import { queries } from '../src/calls.ts'
import { ClaimCopyAction, ClaimCopyRow } from '../src/claims/claim-papers.tsx'
import { ClaimHero } from '../src/claims/claim-page.tsx'
import { ClaimTag } from '../src/claims/claim-tag.tsx'
import MoreDetails from '../src/claims/more-details.tsx'
import { claimInvoicesQuery, claimQuery, financialEventsQuery } from '../src/debts/part-calls.ts'
import { FAILED, type Part } from './part.ts'
import { Opened, Pressed } from './pressed.tsx'
import { CLAIMS, claim, claimKeyOf, ENERGY, ENERGY_LOGO } from './samples.ts'

const PERIOD = { rate: '10', from: '2026-10-12', to: '2026-11-19', days: 39, principal: 2317.5 }
const MADE_OF: ClaimInvoiceAnswer[] = [
  {
    id: '261185',
    invoiceNumber: '261185',
    paymentReference: '260115774523',
    purchaseDate: '2026-09-11',
    expireDate: '2026-10-11',
    totalToPay: 2317.5,
    transferred: { total: 2402.26, principal: 2317.5, costs: 60, interest: 24.76 },
    interest: [{ ...PERIOD, amount: 24.76 }],
    rows: [
      { accountNumber: '5002', description: 'Elförbrukning', amount: 1854 },
      { accountNumber: null, description: 'Elnät', amount: 463.5 },
    ],
  },
  {
    id: '261259',
    invoiceNumber: '261259',
    paymentReference: '260123174521',
    purchaseDate: '2026-09-20',
    expireDate: '2026-10-20',
    totalToPay: 220,
    transferred: { total: 220, principal: 220, costs: 0, interest: 0 },
    interest: [],
    rows: [],
  },
]
const key = claimKeyOf('702369')
queries.setQueryData(claimQuery(key).queryKey, claim())
queries.setQueryData(claimInvoicesQuery(key).queryKey, MADE_OF)
queries.setQueryData(financialEventsQuery(key).queryKey, [])

function Hero({ claim: of, pays }: { claim: ClaimAnswer; pays: boolean }) {
  const button = useRef<HTMLDivElement>(null)
  return (
    <ClaimHero
      claim={of}
      logo={of.clientName === ENERGY ? ENERGY_LOGO : null}
      payRef={button}
      onPay={pays ? () => {} : undefined}
      actions={<ClaimCopyAction claimKey={claimKeyOf(of.collectionBatchNumber)} claim={of} />}
    />
  )
}

const details = (number: string) => (
  <Opened
    show={(onClose) => <MoreDetails claimKey={claimKeyOf(number)} claim={claim()} onClose={onClose} />}
  />
)

/** How a claim stands, and what it is made of. */
export const CLAIM_PARTS: readonly Part[] = [
  {
    name: 'ClaimHero',
    place: 'facts',
    isTogether: true,
    states: Object.fromEntries(
      Object.entries(CLAIMS).map(([name, of]) => [
        name,
        () => <Hero claim={of} pays={of.status === 'OPEN' && !of.isPartPayment} />,
      ]),
    ),
  },
  {
    name: 'ClaimTag',
    isTogether: true,
    states: Object.fromEntries(
      Object.entries(CLAIMS).map(([name, of]) => [name, () => <ClaimTag claim={of} />]),
    ),
  },
  {
    name: 'ClaimCopyAction, ClaimCopyRow',
    states: {
      'on narrow screens': { show: () => <ClaimCopyRow claimKey={key} claim={claim()} /> },
      'the file is gone': {
        show: () => (
          <Pressed name="Download">
            <ClaimCopyAction claimKey={key} claim={claim()} />
          </Pressed>
        ),
        calls: FAILED,
      },
    },
  },
  {
    name: 'MoreDetails',
    states: {
      'two invoices': () => details('702369'),
      loading: () => details('loading'),
      failed: { show: () => details('failed'), calls: FAILED },
    },
  },
]
