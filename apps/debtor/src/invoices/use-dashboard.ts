import { useQuery } from '@tanstack/react-query'
import {
  CLOSED_CLAIM_STATUSES,
  CLOSED_STATUSES,
  claimListQuery,
  claimStatsQuery,
  HELD_CLAIM_STATUSES,
  HELD_STATUSES,
  invoiceListQuery,
  OPEN_CLAIM_STATUSES,
  OPEN_STATUSES,
  personQuery,
  statsQuery,
} from '../debts/list-calls.ts'
import { FIRST } from './dashboard-sections.tsx'

/** Asked for in one call; whoever has more paused or open invoices than this is told no sum of those, or of plans. */
const MOST_SUMMED = 100

/** All that the list is made of; the first page of what is paid waits until what is owed stands on the screen. */
export function useDashboard(page: number, limit: number) {
  const stats = useQuery(statsQuery())
  const open = useQuery(invoiceListQuery({ statuses: OPEN_STATUSES, page, limit }))
  const held = useQuery(invoiceListQuery({ statuses: HELD_STATUSES, page: 1, limit: MOST_SUMMED }))
  const paid = useQuery({
    ...invoiceListQuery({ statuses: CLOSED_STATUSES, ...FIRST }),
    enabled: open.isSuccess,
  })
  const claims = useQuery(claimListQuery({ statuses: OPEN_CLAIM_STATUSES, ...FIRST }))
  const heldClaims = useQuery({
    ...claimListQuery({ statuses: HELD_CLAIM_STATUSES, page: 1, limit: MOST_SUMMED }),
    enabled: claims.data !== undefined && claims.data.total > 0,
  })
  const closedClaims = useQuery({
    ...claimListQuery({ statuses: CLOSED_CLAIM_STATUSES, ...FIRST }),
    enabled: claims.isSuccess,
  })
  const claimStats = useQuery(claimStatsQuery())
  const fitsOnPage = open.data !== undefined && open.data.total === open.data.items.length
  const everything = useQuery({
    ...invoiceListQuery({ statuses: OPEN_STATUSES, page: 1, limit: MOST_SUMMED }),
    enabled: open.data !== undefined && !fitsOnPage && open.data.total <= MOST_SUMMED,
  })
  const person = useQuery(personQuery())
  return {
    open,
    paid,
    claims,
    closedClaims,
    person,
    sums: {
      stats: [stats, claimStats],
      held: held.data,
      heldClaims: heldClaims.data?.items ?? [],
      /** All that is open, where it is not too much to be asked for at once. */
      open: fitsOnPage ? open.data : everything.data,
      openClaims: claims.data,
    },
  }
}
