/** One of the staff who looks as a debtor would, as their browser carries it. */
import type { Answer, TestServer } from '../start-test-server.ts'
import type { SignedIn } from '../staff.ts'

/** Asks for a ticket. */
export function askPeek(
  server: TestServer,
  staff: SignedIn,
  debtorId: string,
  reason = 'Gäldenären ringer',
): Promise<Answer> {
  return server.call('POST', `/api/admin/debtors/${debtorId}/view`, {
    body: { reason },
    headers: { ...staff },
  })
}

export const ticketOf = ({ json }: Answer): string =>
  (json as { address: string }).address.split('#/view/')[1] ?? ''

/** Uses a ticket up, from any browser. */
export function openView(server: TestServer, ticket: string): Promise<Answer> {
  return server.call('POST', '/api/public/views', { body: { ticket } })
}

/** The headers of a peek that has just been opened. */
export async function lookAs(
  server: TestServer,
  staff: SignedIn,
  debtorId: string,
): Promise<{ authorization: string; cookie: string }> {
  const opened = await openView(server, ticketOf(await askPeek(server, staff, debtorId)))
  return headersOf(opened)
}

/** What the browser sends after a view was opened. */
export function headersOf(opened: Answer): { authorization: string; cookie: string } {
  const { id_token: token } = opened.json as { id_token: string }
  const cookie = opened.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  return { authorization: `Bearer ${token}`, cookie: cookie.join('; ') }
}
