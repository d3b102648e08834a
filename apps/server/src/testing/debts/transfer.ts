/** Money that comes by transfer, as the creditor's bank reports it. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { importBankFiles } from '../../bank-files/bank-files.ts'
import { castBgMax } from '../../demo/cast-bgmax.ts'
import { openInstances } from '../../instances/instances.ts'
import { openLog } from '../../platform/log.ts'
import type { BuiltInvoice } from '../build.ts'
import type { TestServer } from '../start-test-server.ts'

let serial = 0

/**
 * Pays an invoice that buildInvoice made, in kronor of the default instance, today or on an earlier `onDay` that the bank tells of now;
 * throws unless the money was booked.
 */
export async function transfer(
  { test: { db }, clock, product }: TestServer,
  { reference }: Pick<BuiltInvoice, 'reference'>,
  amountMinor: number,
  onDay?: CalendarDate,
): Promise<void> {
  const instance = await openInstances(db, clock).ofHost('localhost')
  if (!instance) throw new Error('there is no instance')
  serial += 1
  const day = onDay ?? clock.today(instance.timeZone)
  const text = castBgMax({ bankgiro: '9990-0227', day, serial, payments: [{ reference, amountMinor }] })
  const file = {
    name: `transfer-${serial}`,
    async *open() {
      yield Buffer.from(text, 'latin1')
    },
  }
  const context = { db, clock, config: product.context.config, log: openLog('silent') }
  for await (const { outcome, reason } of importBankFiles(context, instance, [file])) {
    if (outcome !== 'booked') throw new Error(`the transfer was ${outcome}: ${reason}`)
  }
}
