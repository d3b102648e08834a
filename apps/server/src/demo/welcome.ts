/** What a start says when it is ready. */
import type { Config } from '../../config/config.ts'
import type { Context } from '../context.ts'
import { howToGetFirm } from './firm/ask-firm.ts'
import { openInstances } from '../instances/instances.ts'

/** What to do next: where to look, or what is missing before there is anything to see. */
export async function welcomeLines(
  config: Config,
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  isDemo: boolean,
): Promise<string[]> {
  const at = `http://localhost:${config.port}`
  if (config.role === 'jobs') return [`The jobs are done here. Is it well?  ${at}/readyz`]
  if ((await openInstances(db, clock).all()).length === 0)
    return ['There is no provider yet, and so no page. Make one: npm run provider -- --help']
  const places = [
    `Homepage       ${at}/home/`,
    `Debtor portal  ${at}/`,
    `Creditor       ${at}/client/`,
    `Operator       ${at}/admin/`,
    `Questions      ${at}/support/`,
  ]
  if (!isDemo) return places
  return [
    ...places,
    'Log in with    reference 2601 0131 4920, zip 411 05   (Elias)',
    '               reference 2601 0492 9823, zip 111 22   (Alva)',
    '               or BankID: pick who holds the phone on the sandbox page',
    'As creditor    clerk@kvitt.example, password Kvitt-demo-2026',
    'As operator    manager@kvitt.example, the same password',
    ...(await howToGetFirm(db)),
  ]
}
