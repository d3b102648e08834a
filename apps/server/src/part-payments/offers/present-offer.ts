/** Offers as the wire has them. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Amount, sum } from '@kvitt/domain/money.ts'
import { rateText } from '@kvitt/domain/part-payments/apr.ts'
import type { OptionsAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { instalmentDueDate } from '@kvitt/domain/part-payments/part-payment.ts'
import type { Plan } from '@kvitt/domain/part-payments/plan.ts'
import type { Context } from '../../context.ts'
import { makeLink } from '../../platform/files/file-links.ts'
import { textOf, type Language } from '../../platform/texts.ts'
import type { FoundOffer, FoundOffers } from './offers.ts'

type Answer = Loosen<OptionsAnswer>
type PlanOffer = Answer['plans'][number]
type AccountOffer = NonNullable<Answer['account']>

/** A percentage with two decimals as a wire number; like an amount it is written from whole hundredths. */
export function percentAmount(text: string): Amount {
  const [whole = '0', decimals = ''] = text.split('.')
  return new Amount(Number(`${whole}${decimals.padEnd(2, '0').slice(0, 2)}`))
}

export function rateAmount(apr: number | undefined): Amount | null {
  return apr === undefined ? null : percentAmount(rateText(apr, 2))
}

/** What the instalments of a plan come to in one part. */
export function totalInterest(plan: Plan): number {
  const { currency } = plan.totalToPay
  return sum(
    plan.instalments.map((instalment) => instalment.interest),
    currency,
  ).minor
}

/** Names that open the terms and, for a consumer, the credit information of `settingId` for an invoice or claim. */
export function documentLinks(
  context: Pick<Context, 'fileKey' | 'clock'>,
  of: {
    readonly debtId: string
    readonly settingId: string
    readonly isConsumer: boolean
    readonly session: string | undefined
  },
): { terms: string; secci: string | null } {
  const { debtId: id, settingId: second, session } = of
  return {
    terms: makeLink(context, { kind: 't', id, second, session }, 'pdf'),
    secci: of.isConsumer ? makeLink(context, { kind: 's', id, second, session }, 'pdf') : null,
  }
}

type Reader = {
  readonly debtId: string
  readonly language: Language
  readonly session: string | undefined
}

function costsOf(context: Context, found: FoundOffers, { plan, setting }: FoundOffer, reader: Reader) {
  const { instalments } = plan
  const last = instalments.length
  const { isConsumer } = found
  const key = isConsumer ? 'plan.agreement' : 'plan.agreement_company'
  return {
    currency: plan.totalToPay.currency,
    creditAmount: new Amount(plan.totalToPay.minor - plan.creditCost.minor),
    monthlyAmount: new Amount(plan.monthly.minor),
    firstAmount: new Amount(instalments[0]?.total.minor ?? 0),
    lastAmount: new Amount(instalments[last - 1]?.total.minor ?? 0),
    instalmentCount: last,
    firstDueDate: instalmentDueDate(found.day, 1),
    lastDueDate: instalmentDueDate(found.day, last),
    totalToPay: new Amount(plan.totalToPay.minor),
    totalCost: new Amount(plan.creditCost.minor),
    totalInterest: new Amount(totalInterest(plan)),
    effectiveRate: rateAmount(plan.apr),
    legalText: textOf(reader.language, setting.months === null ? `${key}_account` : key, {
      creditor: found.facts.creditor_name,
      count: last,
    }),
    documents: documentLinks(context, {
      debtId: reader.debtId,
      settingId: setting.id,
      isConsumer,
      session: reader.session,
    }),
  }
}

function presentPlanOffer(
  context: Context,
  found: FoundOffers,
  offer: FoundOffer,
  reader: Reader,
): PlanOffer {
  const { setting, plan } = offer
  return {
    id: setting.id,
    code: setting.code,
    variant: setting.variant === 'ONGOING_PAYMENT' ? 'ONGOING_PAYMENT' : 'PART_PAYMENT',
    annuity: setting.months ?? 0,
    annuityData: {
      annuityTotalAmount: new Amount(plan.monthly.minor),
      annuityRetainerFeeAmount: new Amount(setting.monthlyFeeMinor),
      totalToPay: new Amount(plan.totalToPay.minor),
    },
    partPaymentPlanSetting: {
      debtorPortalTermsVisible: setting.termsVisible,
      debtorPortalLegalVisible: setting.legalVisible,
      addToExisting: setting.addToExisting,
      partInvoicePaymentTerms: setting.termsDays,
      priceStartFee: new Amount(setting.startFeeMinor),
      priceAdministrationFee: new Amount(setting.monthlyFeeMinor),
      priceInterest: percentAmount(setting.percent),
      priceInterestFreeDays: setting.interestFreeDays,
    },
    ...costsOf(context, found, offer, reader),
  }
}

function presentAccountOffer(
  context: Context,
  found: FoundOffers,
  offer: FoundOffer,
  reader: Reader,
): AccountOffer {
  const { setting } = offer
  return {
    id: setting.id,
    enabled: true,
    code: setting.code,
    variant: 'PART_PAYMENT_ACCOUNT',
    hasExisting: offer.existing !== undefined,
    partPaymentAccountSetting: {
      accountInvoiceInstallmentThreshold: percentAmount(setting.thresholdPercent ?? '0'),
      accountInvoicePaymentTerms: setting.termsDays,
      priceAdministrationFee: new Amount(setting.monthlyFeeMinor),
      priceInterest: percentAmount(setting.percent),
      priceStartFee: new Amount(setting.startFeeMinor),
      addToExisting: setting.addToExisting,
      debtorPortalLegalVisible: setting.legalVisible,
      debtorPortalTermsVisible: setting.termsVisible,
    },
    ...costsOf(context, found, offer, reader),
  }
}

export function presentOptions(context: Context, found: FoundOffers, reader: Reader): Answer {
  const account = found.offers.find(({ setting }) => setting.variant === 'PART_PAYMENT_ACCOUNT')
  return {
    plans: found.offers
      .filter(({ setting }) => setting.variant !== 'PART_PAYMENT_ACCOUNT')
      .map((offer) => presentPlanOffer(context, found, offer, reader)),
    account: account ? presentAccountOffer(context, found, account, reader) : null,
    offerVersion: found.version,
  }
}
