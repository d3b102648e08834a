/** Credit notes: about an invoice that we hold, about none, and about one in a claim (M-05, D-21). */
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { agreeReminderFees, testClock } from '../testing/build.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import {
  begin,
  built,
  importAll,
  importOne,
  instance,
  invoice,
  NOTE,
  OCR,
  rows,
  SE,
  useImports,
} from '../testing/debts/imported.ts'

useImports()

describe('a credit note', () => {
  beforeAll(begin)
  const over = (amount: string, number: string): string =>
    NOTE.replaceAll('142.00', amount).replace('K-2026-0031', number)

  test('is applied to its invoice, also when it comes first in the call', async () => {
    const results = await importAll({ 'note.xml': NOTE, 'invoice.xml': SE })
    expect(results['note.xml']).toMatchObject({
      outcome: 'created',
      invoiceNumber: 'K-2026-0031',
      paymentReference: OCR,
    })
    expect(await invoice('2026-70012')).toMatchObject({ status: 'ACTIVATED', balance_minor: '70000' })
    expect(
      await rows("select type from collection_step where instance_id = $1 and type = 'CREDIT_INVOICE'"),
    ).toHaveLength(1)
  })

  test('comes a second time and changes nothing', async () => {
    expect(await importOne(NOTE)).toMatchObject({ outcome: 'unchanged', paymentReference: OCR })
    expect(await invoice('2026-70012')).toMatchObject({ balance_minor: '70000' })
  })

  test('of the same number with another content is refused', async () => {
    expect(await importOne(over('1.00', 'K-2026-0031'))).toMatchObject({ outcome: 'refused' })
  })

  test('over more than the invoice, with what is credited already, is refused', async () => {
    const result = await importOne(over('700.01', 'K-2'))
    expect(result.reason).toMatch(
      /credit of 700\.01 is more than invoice 2026-70012 .*842\.00 SEK, of which 142\.00/,
    )
    expect(await invoice('2026-70012')).toMatchObject({ balance_minor: '70000' })
  })

  test('over the rest closes the invoice, and the next is refused', async () => {
    expect(await importOne(over('700.00', 'K-3'))).toMatchObject({ outcome: 'created', warnings: [] })
    expect(await invoice('2026-70012')).toMatchObject({ status: 'CLOSED', balance_minor: '0' })
    const late = await importOne(over('5.00', 'K-4'))
    expect(late.reason).toMatch(/more than invoice 2026-70012 .*of which 842\.00 is credited already/)
    expect(await invoice('2026-70012')).toMatchObject({ status: 'CLOSED', balance_minor: '0' })
  })

  test('about an invoice that we do not hold becomes a credit invoice', async () => {
    const stray = over('10.00', 'K-5').replace('>2026-70012<', '>ELSEWHERE<')
    expect(await importOne(stray)).toMatchObject({ outcome: 'created', warnings: [] })
    expect(await invoice('K-5')).toMatchObject({
      type: 'CREDIT_INVOICE',
      status: 'ACTIVATED',
      balance_minor: '-1000',
    })
    expect(await importOne(stray)).toMatchObject({ outcome: 'unchanged' })
  })

  test('about a draft is refused', async () => {
    await importOne(SE.replace('2026-70012', 'D-1'), { as: 'draft' })
    const result = await importOne(over('10.00', 'K-7').replace('>2026-70012<', '>D-1<'))
    expect(result.reason).toMatch(/Invoice D-1 has not been sent yet/)
  })

  test('in another currency than the invoice is refused', async () => {
    await importOne(SE.replace('2026-70012', 'S-1'))
    const euros = over('10.00', 'K-6').replace('>2026-70012<', '>S-1<').replaceAll('SEK', 'EUR')
    expect((await importOne(euros)).reason).toMatch(/credit note is in EUR and invoice S-1 in SEK/)
  })

  test('is what an invoice over less than nothing becomes', async () => {
    const negative = SE.replace('2026-70012', 'N-1').replaceAll('>842.00<', '>-842.00<')
    expect(await importOne(negative)).toMatchObject({ outcome: 'created' })
    expect(await invoice('N-1')).toMatchObject({ type: 'CREDIT_INVOICE', total_minor: '-84200' })
  })
})

describe('a credit note about an invoice in a claim', () => {
  beforeAll(begin)

  test('takes it off the claim, principal first, and with the last of it the fees', async () => {
    await importOne(SE)
    await agreeReminderFees(built, instance.id)
    const clock = testClock()
    for (const after of NIGHTS_TO_CLAIM) {
      clock.moveTo(addDays(date('2026-12-02'), after))
      const context = { db: built.db, clock, log: pino({ level: 'silent' }) }
      await performDailyRun(context, instance, clock.today(instance.timeZone))
    }
    const claim = async () =>
      (await rows('select status, principal_minor, costs_minor from claim where instance_id = $1'))[0]
    expect(await claim()).toEqual({ status: 'OPEN', principal_minor: '84200', costs_minor: '24000' })
    expect(await importOne(NOTE)).toMatchObject({ outcome: 'created' })
    expect(await importOne(NOTE)).toMatchObject({ outcome: 'unchanged' })
    expect(await claim()).toMatchObject({ status: 'OPEN', principal_minor: '70000' })
    expect(await invoice('2026-70012')).toMatchObject({ status: 'ACTIVATED', balance_minor: '0' })
    const rest = NOTE.replaceAll('142.00', '700.00').replace('K-2026-0031', 'K-2026-0032')
    expect(await importOne(rest)).toMatchObject({ outcome: 'created' })
    expect(await claim()).toEqual({ status: 'CLOSED', principal_minor: '0', costs_minor: '0' })
  })
})
