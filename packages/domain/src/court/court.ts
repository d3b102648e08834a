/**
 * A claim before an authority: what is recorded of it, in the order in which it can happen. Nothing of it comes by schedule:
 * somebody applied, and somebody decided.
 */

export const APPLICATION_STATUSES = [
  'FILED',
  'OBJECTED',
  'ORDERED',
  'NO_ASSETS',
  'REJECTED',
  'WITHDRAWN',
] as const
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number]

/**
 * `OBJECTION`: the debtor denies the claim there. `ORDER`: it may be enforced. `NO_ASSETS`: the debtor owns nothing that could
 * be taken, so that the claim is watched. `REJECTED`: the authority did not take it up. `WITHDRAWN`: the creditor took it back.
 */
export const COURT_DECISIONS = ['OBJECTION', 'ORDER', 'NO_ASSETS', 'REJECTED', 'WITHDRAWN'] as const
export type CourtDecision = (typeof COURT_DECISIONS)[number]

export function isCourtDecision(text: string): text is CourtDecision {
  return COURT_DECISIONS.some((kind) => kind === text)
}

/**
 * What a decision makes of an application. Decisions are told late and in any order: an order that is told after what came of
 * it changes nothing any more, and neither does an objection that was decided on.
 */
const AFTER: Readonly<
  Record<ApplicationStatus, Readonly<Partial<Record<CourtDecision, ApplicationStatus>>>>
> = {
  FILED: {
    OBJECTION: 'OBJECTED',
    ORDER: 'ORDERED',
    NO_ASSETS: 'NO_ASSETS',
    REJECTED: 'REJECTED',
    WITHDRAWN: 'WITHDRAWN',
  },
  OBJECTED: { ORDER: 'ORDERED', NO_ASSETS: 'NO_ASSETS', REJECTED: 'REJECTED', WITHDRAWN: 'WITHDRAWN' },
  ORDERED: { OBJECTION: 'ORDERED', NO_ASSETS: 'NO_ASSETS' },
  NO_ASSETS: { OBJECTION: 'NO_ASSETS', ORDER: 'NO_ASSETS' },
  REJECTED: { OBJECTION: 'REJECTED' },
  WITHDRAWN: { OBJECTION: 'WITHDRAWN' },
}

/** The status after a decision; undefined when it cannot be after what was recorded. */
export function statusAfter(
  status: ApplicationStatus,
  decision: CourtDecision,
): ApplicationStatus | undefined {
  return AFTER[status][decision]
}

/** Authority and case number as they are compared: a person types them with other spaces and capitals. */
export function caseKey(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\s\p{C}]+/gu, '')
    .toUpperCase()
}
