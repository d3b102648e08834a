/** A night knows up to when each account is told: what is paid to one that is not waits, to a limit. */
import { describe, expect, test } from 'vitest'
import type { AccountFiles } from '@kvitt/domain/bank-files/told-days.ts'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { addAddress, chooseOwnAccount } from '../creditors/creditors.ts'
import { castBgMax } from '../demo/cast-bgmax.ts'
import {
  build,
  choose,
  confirm,
  costsOf,
  dayOf,
  FRIDAY,
  IBAN,
  instance,
  liveTo,
  MONDAY,
  numbered,
  open,
  server,
  statement,
  take,
  TUESDAY,
  useAccountFiles,
  WEDNESDAY,
  type Deeds,
} from '../testing/files/account-files.ts'

useAccountFiles(40)

const SATURDAY = addDays(FRIDAY, 1)

/** What is told on which day, and when the debtor is reminded of what was due to be reminded of on the Tuesday. */
const TOLD: readonly (readonly [name: string, deeds: () => Deeds, reminded: CalendarDate])[] = [
  ['nothing is told', () => ({}), FRIDAY],
  ['a statement of the Monday comes in time', () => ({ [MONDAY]: () => take(statement(MONDAY)) }), TUESDAY],
  ['it comes in the morning after the night', () => ({ [TUESDAY]: () => take(statement(MONDAY)) }), TUESDAY],
  // Then the Tuesday is what is missing, and is waited for as long.
  ['it comes a day later, alone', () => ({ [WEDNESDAY]: () => take(statement(MONDAY)) }), SATURDAY],
  [
    'it comes a day later, with the next',
    () => ({ [WEDNESDAY]: () => take(statement(MONDAY), statement(TUESDAY)) }),
    WEDNESDAY,
  ],
  [
    'they come in another order',
    () => ({ [TUESDAY]: () => take(statement(TUESDAY)), [WEDNESDAY]: () => take(statement(MONDAY)) }),
    WEDNESDAY,
  ],
  [
    'a file comes twice, also as another with the same in it',
    () => {
      const text = statement(MONDAY)
      return { [TUESDAY]: () => take(text, text, statement(MONDAY)), [WEDNESDAY]: () => take(text) }
    },
    TUESDAY,
  ],
  ['a person says that all is here', () => ({ [WEDNESDAY]: () => confirm(TUESDAY) }), WEDNESDAY],
  [
    'a number between them is missing',
    () => ({
      [MONDAY]: () => take(numbered(5, MONDAY)),
      [WEDNESDAY]: () => take(numbered(7, WEDNESDAY)),
    }),
    FRIDAY,
  ],
  [
    'a number comes again on another day, and tells nothing',
    () => ({
      [MONDAY]: () => take(numbered(5, MONDAY)),
      [TUESDAY]: () => take(numbered(5, TUESDAY)),
      [WEDNESDAY]: () => take(numbered(6, WEDNESDAY)),
    }),
    FRIDAY,
  ],
]

/** Notifications tell of all days between them only where nothing else is to come. */
const NOTIFIED: typeof TOLD = [
  [
    'two numbered files follow one another',
    () => ({
      [MONDAY]: () => take(numbered(5, MONDAY)),
      [WEDNESDAY]: () => take(numbered(6, WEDNESDAY)),
    }),
    WEDNESDAY,
  ],
  [
    'the later of them comes first',
    () => ({
      [TUESDAY]: () => take(numbered(6, WEDNESDAY)),
      [WEDNESDAY]: () => take(numbered(5, MONDAY)),
    }),
    WEDNESDAY,
  ],
]

describe.each(NOTIFIED)('%s', (_, deeds, day) => {
  test.each<[AccountFiles, CalendarDate]>([
    ['when_there_is_money', day],
    ['daily_statement', FRIDAY],
  ])('files: %s', async (files, reminded) => {
    await open(files)
    const { id } = await build()
    await liveTo(addDays(SATURDAY, 1), deeds())
    expect(await dayOf(id, 'REMINDER')).toBe(reminded)
  })
})

describe.each(TOLD)('%s', (_, deeds, day) => {
  test.each<AccountFiles>(['daily_statement', 'when_there_is_money'])('files: %s', async (files) => {
    await open(files)
    const { id } = await build()
    await liveTo(addDays(SATURDAY, 1), deeds())
    expect([await dayOf(id, 'REMINDER'), await costsOf(id)]).toEqual([day, 6_000])
  })
})

test.each<[string, string | undefined, CalendarDate]>([
  ['that has no other number', undefined, WEDNESDAY],
  ['that has another bankgiro, to which money may come as well', '9990-0227', FRIDAY],
])(
  'deposits of BgMax that follow one another tell of the days between, of an account %s',
  async (_, other, day) => {
    await open(null)
    const own = { form: 'bankgiro', number: '9990-0110', currency: 'SEK', receiver: 'Nordklar AB' } as const
    const wanted = { ...own, bank: undefined, bic: undefined, by: 'anna' }
    await chooseOwnAccount(server.product.context, instance.id, wanted)
    server.clock.moveTo(addDays(MONDAY, -1))
    await choose('when_there_is_money', own.number)
    const another = { kind: 'BANKGIRO', number: other ?? '', country: 'SE' } as const
    if (other)
      await addAddress(server.product.context, instance.id, { of: own.number, wanted: another, by: 'anna' })
    const { id } = await build()
    const deposit = (serial: number, on: CalendarDate) => () =>
      take(
        castBgMax({
          bankgiro: own.number,
          day: on,
          serial,
          payments: [{ reference: '1', amountMinor: 100 }],
        }),
      )
    await liveTo(SATURDAY, { [MONDAY]: deposit(41, MONDAY), [WEDNESDAY]: deposit(42, WEDNESDAY) })
    expect(await dayOf(id, 'REMINDER')).toBe(day)
  },
)

test('deposits of BgMax tell of no day of an account with an IBAN', async () => {
  await open('when_there_is_money')
  const wanted = { kind: 'BANKGIRO', number: '9990-0110', country: 'SE' } as const
  await addAddress(server.product.context, instance.id, { of: IBAN, wanted, by: 'anna' })
  const { id } = await build()
  const deposit = (serial: number, day: CalendarDate) => () =>
    take(castBgMax({ bankgiro: '9990-0110', day, serial, payments: [{ reference: '1', amountMinor: 100 }] }))
  await liveTo(addDays(WEDNESDAY, 1), { [MONDAY]: deposit(41, MONDAY), [WEDNESDAY]: deposit(42, WEDNESDAY) })
  expect(await dayOf(id, 'REMINDER')).toBeUndefined()
})

test.each([null, 'none'] as const)('files: %s, and no night waits', async (files) => {
  await open(files)
  const { id } = await build()
  await liveTo(TUESDAY)
  expect([await dayOf(id, 'REMINDER'), await costsOf(id)]).toEqual([TUESDAY, 6_000])
})

test.each<[string, CalendarDate, CalendarDate]>([
  ['over a weekend the Friday is enough', date('2026-03-23'), FRIDAY],
  ['after Easter it is the Thursday before', date('2026-04-07'), date('2026-04-02')],
])('%s', async (_, on, told) => {
  await open('daily_statement')
  const { id } = await build({ dueDate: addDays(on, -7) })
  await liveTo(addDays(on, -1), { [addDays(on, -1)]: () => confirm(told) })
  expect(await dayOf(id, 'REMINDER')).toBeUndefined()
  await liveTo(on)
  expect(await dayOf(id, 'REMINDER')).toBe(on)
})
