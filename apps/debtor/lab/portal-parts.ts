/** The parts of the debtor portal, in the order in which a visitor meets them, and the pages of the two public sites. */
import { CLAIM_PARTS } from './claims.tsx'
import { FRAME_PARTS } from './frame.tsx'
import { HELP_PARTS } from './helping.tsx'
import { TALK_PARTS } from './talking.tsx'
import { PLAN_PARTS } from './in-parts.tsx'
import { OWN_PLAN_PARTS } from './own-plans.tsx'
import { INVOICE_PARTS } from './invoices.tsx'
import { LIST_PARTS } from './lists.tsx'
import { PAPER_PARTS } from './papers.tsx'
import type { Part } from './part.ts'
import { PAYING_PARTS } from './paying.tsx'
import { SIGN_IN_PARTS } from './signing-in.tsx'
import { SITE_PARTS } from './sites/site-parts.tsx'

export const PORTAL_PARTS: readonly Part[] = [
  ...FRAME_PARTS,
  ...SIGN_IN_PARTS,
  ...INVOICE_PARTS,
  ...PAYING_PARTS,
  ...PLAN_PARTS,
  ...OWN_PLAN_PARTS,
  ...PAPER_PARTS,
  ...HELP_PARTS,
  ...TALK_PARTS,
  ...CLAIM_PARTS,
  ...LIST_PARTS,
  ...SITE_PARTS,
]
