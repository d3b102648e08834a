import type { OtherTexts } from './help-panel.tsx'

/** What help on a claim says otherwise: whose letters come from the collector, and which holds several invoices. */
export const CLAIM_TOPICS: OtherTexts = {
  content: { title: 'claim.content_wrong', answer: 'claim.content_wrong_answer' },
  dispute: { title: 'help.dispute_claim', answer: 'claim.dispute_answer', act: 'claim.dispute' },
  address: { answer: 'claim.wrong_address_answer' },
  delivery: { answer: 'claim.other_delivery_answer' },
}
