import { beforeAll, expect, test } from 'vitest'
import { POWERS, type Power } from '@kvitt/domain/contract.ts'
import { describeSchema } from '@kvitt/domain/schema.contract.ts'
import { BINDINGS } from '../api.ts'
import { pathOf } from '../platform/http/serve.ts'
import { buildClaim, buildInstanceAccount, type BuiltClaim } from '../testing/build-claim.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { signIn } from '../testing/sign-in.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
/** An instance for each power that is kept. */
let kept: Record<Power, { host: string; invoice: BuiltInvoice; claim: BuiltClaim }>

beforeAll(async () => {
  server = await startTestServer()
  // One after the other: a claim moves the clock, which they share.
  const built = []
  for (const power of POWERS) built.push([power, await build(power)] as const)
  kept = Object.fromEntries(built) as typeof kept
})

async function build(power: Power) {
  const { id, host } = await buildInstance(server.test, { alias: `keeps-${power}`, isDefault: false })
  await server.test.owner.query('update instance set public_session_policy = $2 where id = $1', [id, [power]])
  await buildInstanceAccount(server.test, id)
  const claim = await buildClaim(server.test, id, server.clock)
  return { host, claim, invoice: await buildInvoice(server.test, id, server.clock) }
}

type Contract = (typeof BINDINGS)[number]['contract']
const calls = BINDINGS.map(({ contract }) => contract).filter((contract) => contract.doors.includes('public'))

async function call(contract: Contract, host: string, path: string, headers: Record<string, string> = {}) {
  const needed = (describeSchema(contract.query, 'input')?.required ?? []).map((name) => `${name}=CSV`)
  const answer = await server.product.app.inject({
    method: contract.method,
    url: `${path}${path.includes('?') ? '&' : '?'}${needed.join('&')}`,
    headers: { host, ...headers },
    ...(contract.method === 'GET' ? {} : { payload: {} }),
  })
  const isProblem = String(answer.headers['content-type']).includes('problem')
  return {
    status: answer.statusCode,
    code: isProblem ? answer.json<{ code: string }>().code : 'ok',
    text: answer.body,
  }
}

function pairPath(contract: Contract, of: { reference: string; zip: string }, zip = of.zip): string {
  return pathOf(contract, 'public').replace(':paymentReference', of.reference).replace(':zip', zip)
}

test.each(POWERS)('%s kept: a pair does everything else, and the electronic ID that, too', async (power) => {
  const { host, invoice, claim } = kept[power]
  for (const contract of calls) {
    const of = contract.subject === 'collection-batches' ? claim : invoice
    const { code } = await call(contract, host, pairPath(contract, of))
    expect(code === 'eid_required', `${contract.name}: ${code}`).toBe(contract.power === power)
    // What is kept is told to whoever has the right pair, and to nobody else.
    expect((await call(contract, host, pairPath(contract, of, '99999'))).code).toBe(
      'login_error::invalid_data',
    )
    if (contract.power !== power) continue
    const debtorId =
      contract.subject === 'collection-batches' ? claim.invoices[0]?.debtorId : invoice.debtorId
    const headers = await signIn(server.product.context, invoice.instanceId, [debtorId ?? ''])
    const path = `${pathOf(contract, 'debtor')}?paymentReference=${of.reference}`
    expect(['eid_required', 'not_signed_in', 'not_found']).not.toContain(
      (await call(contract, host, path, headers)).code,
    )
  }
})

/** Which calls of a public session use which power; what is not here is part of seeing and paying the one item. */
const USED: Readonly<Record<Power | 'none', readonly string[]>> = {
  lists: [
    'claimLedger',
    'claimLedgerSearch',
    'claimStats',
    'downloadClaims',
    'downloadInvoices',
    'invoiceLedger',
    'invoiceStats',
    'searchClaims',
    'searchClients',
    'searchInvoices',
  ],
  documents: ['claimDocuments', 'invoiceDocuments', 'paymentReceipt'],
  disputes: [
    'addClaimConversationFile',
    'addClaimDisputeFile',
    'addInvoiceConversationFile',
    'addInvoiceDisputeFile',
    'askOnClaim',
    'askOnInvoice',
    'claimConversations',
    'claimDisputeFiles',
    'claimOwnPlan',
    'claimRequestTerms',
    'disputeClaim',
    'disputeInvoice',
    'invoiceConversations',
    'invoiceDisputeFiles',
    'invoiceOwnPlan',
    'invoiceRequestTerms',
    'writeOnClaim',
    'writeOnInvoice',
  ],
  plans: [
    'answerPlanOnClaim',
    'answerPlanOnInvoice',
    'repayClaimPartPayment',
    'repayPartPayment',
    'startClaimPartPayment',
    'startPartPayment',
    'withdrawClaimPartPayment',
    'withdrawPartPayment',
  ],
  none: [
    'claim',
    'claimClient',
    'claimEvents',
    'claimFinancialEvents',
    'claimInstanceProvider',
    'claimInvoices',
    'claimLedgerEvents',
    'claimPartPayment',
    'claimPartPaymentOptions',
    'claimPaymentAccount',
    'claimPaymentMethods',
    'downloadEvents',
    'invoice',
    'invoiceClient',
    'invoiceEvents',
    'invoiceFinancialEvents',
    'invoiceInstance',
    'invoiceLedgerEvents',
    'listClaimPayments',
    'listPayments',
    'partPayment',
    'partPaymentOptions',
    'paymentAccount',
    'paymentMethods',
    'readClaimPaymentStatus',
    'readPaymentStatus',
    'refreshClaimPayments',
    'refreshPayments',
    'startClaimPayment',
    'startPayment',
  ],
}

test('each call uses the power that stands here for it, and a new call is given one or none on purpose', () => {
  const used = [...POWERS, 'none' as const].map((power) => [
    power,
    calls
      .filter((call) => (call.power ?? 'none') === power)
      .map(({ name }) => name)
      .sort(),
  ])
  expect(Object.fromEntries(used)).toEqual(USED)
})

test('a kept document has no link in what is shown of its invoice or claim', async () => {
  const [getInvoice, getClaim] = ['invoice', 'claim'].map(
    (name) => calls.find((c) => c.name === name) as Contract,
  )
  for (const [power, hasLink] of [
    ['documents', false],
    ['plans', true],
  ] as const) {
    const { host, invoice, claim } = kept[power]
    const one = JSON.parse(
      (await call(getInvoice as Contract, host, pairPath(getInvoice as Contract, invoice))).text,
    )
    expect([
      one.documents.invoiceWithAttachments !== null,
      one.document.invoiceWithAttachments !== null,
    ]).toEqual([hasLink, hasLink])
    const demand = JSON.parse(
      (await call(getClaim as Contract, host, pairPath(getClaim as Contract, claim))).text,
    )
    expect(demand.document.collection !== null).toBe(hasLink)
  }
})
