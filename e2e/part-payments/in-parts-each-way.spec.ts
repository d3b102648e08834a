/** Each way to pay in parts, on an invoice and on a claim, with a link and with an electronic ID: those that no other journey starts. */
import { expect, test } from 'vitest'
import { DESK, runBrowser } from '../testing/browser.ts'
import { ACCOUNT, debt, ONGOING, openDebt, PLAN, startAndCancel } from '../testing/each-way.ts'
import { sharedProduct } from '../testing/product.ts'
import { isWhole } from '../testing/sample.ts'

const product = await sharedProduct()
const browser = await runBrowser()

const CASES = [
  { variant: 'PART_PAYMENT', ...debt('Invoice 261111', '260108544727'), session: 'debtor', parts: PLAN },
  {
    variant: 'PART_PAYMENT_ACCOUNT',
    ...debt('Invoice 261592', '260155538424', '90325'),
    session: 'public',
    parts: ACCOUNT,
  },
  {
    variant: 'ONGOING_PAYMENT',
    ...debt('Invoice 261148', '260112159629'),
    session: 'public',
    parts: ONGOING,
  },
  {
    variant: 'ONGOING_PAYMENT',
    ...debt('Invoice 261074', '260104929823'),
    session: 'debtor',
    parts: ONGOING,
  },
  { variant: 'PART_PAYMENT', ...debt('Claim 702406', '770235066220'), session: 'public', parts: PLAN },
  {
    variant: 'PART_PAYMENT_ACCOUNT',
    ...debt('Claim 702369', '770231451327'),
    session: 'debtor',
    parts: ACCOUNT,
  },
  {
    variant: 'ONGOING_PAYMENT',
    ...debt('Claim 702665', '770260370521', '21115'),
    session: 'public',
    parts: ONGOING,
  },
] as const

/** With `every-way-to-pay.spec.ts`: every two of debt, session and way to pay in parts stand together in one case. */
const SAMPLE = CASES.filter(({ title }) => /261592|261074|702369|702665/.test(title))

test.each(isWhole ? CASES : SAMPLE)(
  '$title, $session: $variant is started and taken back',
  async ({ variant, session, parts, ...at }) => {
    const page = await browser.open({ viewport: DESK })
    const told: unknown[] = []
    page.on('request', (request) => {
      if (!new URL(request.url()).pathname.endsWith('/part-payment/start')) return
      told.push((request.postDataJSON() as { agreementAccepted?: unknown }).agreementAccepted)
    })
    await openDebt(page, product, at, session)
    await startAndCancel(page, at, parts)
    const [started] = await product.readRows<{ variant: string; status: string; asks: boolean }>(
      `select s.variant, p.status, s.legal_visible as asks from part_payment p
     join part_payment_setting s on s.instance_id = p.instance_id and s.id = p.setting_id
     order by p.id desc limit 1`,
    )
    expect(started).toMatchObject({ variant, status: 'WITHDRAWN' })
    // A tick is told where there was a box; without one nothing is said about it.
    expect(told).toEqual([started?.asks === true ? true : undefined])
  },
)
