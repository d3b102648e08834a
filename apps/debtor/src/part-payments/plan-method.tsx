import type { OptionsAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { planOptionsQuery } from '../debts/part-calls.ts'
import type { Debt } from '../debts/debt.ts'
import { t } from '../text.ts'
import { OfferFacts, OngoingMeans } from './offer-facts.tsx'
import { OfferCards } from './offer-cards.tsx'
import { OfferTable, useTableLayout } from './offer-table.tsx'
import { StartPlan } from './start-plan.tsx'

type Plan = OptionsAnswer['plans'][number]
export type Offer = Plan | NonNullable<OptionsAnswer['account']>

type PlanMethodProps = {
  debt: Debt
  /** The plans, or the running account. */
  kind: 'plans' | 'account'
  onOutdated: (why: string) => void
}

/** Shortest first; of two that last as long the cheaper one. */
function sorted(plans: readonly Plan[]): Plan[] {
  return plans.toSorted(
    (a, b) => a.annuity - b.annuity || a.totalToPay - b.totalToPay || (a.code < b.code ? -1 : 1),
  )
}

/** Paying in parts: the offers beside each other with what they cost, and the start (specification section 4). */
export default function PlanMethod({ debt, kind, onOutdated }: PlanMethodProps) {
  const options = useQuery(planOptionsQuery(debt.key))
  const [chosen, setChosen] = useState<string>()
  if (options.error && !options.data) {
    return (
      <div role="alert">
        <p>{t('plan.load_failed')}</p>
        <Button look="text" onClick={() => void options.refetch()}>
          {t('login.retry')}
        </Button>
      </div>
    )
  }
  if (!options.data) return <Skeleton height={20} />
  const { plans, account, offerVersion } = options.data
  const offers: readonly Offer[] = kind === 'plans' ? sorted(plans) : account ? [account] : []
  const offer = offers.find(({ code }) => code === chosen) ?? offers[0]
  if (!offer) return <p>{t('plan.none')}</p>
  return (
    <>
      <Offers offers={offers} offer={offer} onChoose={setChosen} />
      <StartPlan
        key={`${offer.code} ${offerVersion}`}
        debt={debt}
        offer={offer}
        offerVersion={offerVersion}
        onOutdated={(notice) => {
          void options.refetch()
          onOutdated(notice)
        }}
      />
    </>
  )
}

type OffersProps = { offers: readonly Offer[]; offer: Offer; onChoose: (code: string) => void }

/** What can be chosen, and what the chosen one consists of. */
function Offers({ offers, offer, onChoose }: OffersProps) {
  const layout = useTableLayout(offers)
  const comparison = { offers, chosen: offer.code, onChoose }
  return (
    <>
      {layout ? (
        <OfferTable {...comparison} layout={layout} />
      ) : (
        offers.length > 1 && <OfferCards {...comparison} />
      )}
      <OngoingMeans offers={offers} />
      <OfferFacts offer={offer} isBesideTable={layout !== undefined} />
    </>
  )
}
