/**
 * The oracle against examples that were worked out by hand from the laws, each with its derivation; nothing here was
 * computed by the product. SE: räntelagen 3 and 6 §§, lag 1981:739; NO: forsinkelsesrenteloven, inkassoloven with its
 * regulation; DK: renteloven §§ 5 and 9 b; FI: korkolaki 4 §, perintälaki 10 a §, act 299/2022.
 */
import { describe, expect, test } from 'vitest'
import { interestParts, rounded } from './law.ts'
import { judge } from './oracle.ts'
import {
  answered,
  credited,
  demand,
  disputed,
  document,
  expectBack,
  expectOwed,
  givenUp,
  joined,
  letter,
  night,
  paid,
  waived,
  writtenOff,
} from './worked.ts'

/** Published calculations, each to the öre. Due (or the day before interest begins), paid, rate of the time. */
describe('late interest as others have worked it out', () => {
  test.each([
    // 30 days at 10 %: 1000 x 0.10 x 30/365 = 8.219
    ['SE', 'consumer', 100_000, '2026-02-01', '2026-03-02', 822],
    // 31 days at 11 % and, from 1 July, 46 at 10 %: 23.309 + 31.444
    ['SE', 'consumer', 249_500, '2025-05-31', '2025-08-15', 5475],
    // 16 days at 11.5 %, 75 at 12 % of a leap year, over 365: 79.397 + 388.356
    ['SE', 'consumer', 1_575_000, '2023-12-16', '2024-03-15', 46_775],
    // Paid on the due date: no day.
    ['SE', 'consumer', 39_900, '2026-02-28', '2026-02-27', 0],
    // One day late: 0.1093
    ['SE', 'consumer', 39_900, '2026-02-28', '2026-02-28', 11],
    // No day to pay was agreed: from the day 31 after the demand of 31 March, 20 days, 27.397
    ['SE', 'consumer', 500_000, '2026-05-01', '2026-05-20', 2740],
    // Five days on 100.00: 0.137
    ['SE', 'consumer', 10_000, '2026-02-01', '2026-02-05', 14],
    // 41 days at 12.25 %, 20 at 12 %: 16.512 + 7.890
    ['NO', 'consumer', 120_000, '2025-11-21', '2026-01-20', 2440],
    // 30 days at 11.25 %, 31 at 11.75 %: 13.870 + 14.969
    ['DK', 'consumer', 150_000, '2023-12-02', '2024-01-31', 2884],
    // 60 days at 10.5 %: 4300 x 0.105 x 60/365 = 74.219
    ['FI', 'business', 430_000, '2025-12-16', '2026-02-13', 7422],
  ] as const)('%s %s on %i from %s to %s', (country, debtorKind, minor, from, to, interest) => {
    expect(rounded(interestParts({ country, debtorKind, dueOn: from }, { minor, from, to }))).toBe(interest)
  })

  test('a day without a rate is asked for, not guessed', () => {
    // The Danish rates begin in 2013.
    const span = { minor: 1, from: '2012-12-31', to: '2013-01-01' }
    const terms = { country: 'DK', debtorKind: 'consumer', dueOn: '2012-12-30' } as const
    expect(() => interestParts(terms, span)).toThrow('no rate in DK')
  })

  test.each([
    // Fell due on the last day of the old law: 0.20 + 7, also in 2024: 3.75 + 7. 1000 x 0.072 x 31/365, 0.1075 x 31/365
    ['DK', 'consumer', '2013-02-28', '2013-03-01', '2013-03-31', 612],
    ['DK', 'business', '2013-02-28', '2024-01-01', '2024-01-31', 913],
    // On the first day of the new one: 8.20 %, 11.75 %
    ['DK', 'consumer', '2013-03-01', '2013-03-02', '2013-04-01', 696],
    ['DK', 'consumer', '2013-03-01', '2024-01-01', '2024-01-31', 998],
    // Between companies 1.0 + 7 and 1.0 + 8; a person's is 1.0 + 7 either way. 31 days
    ['FI', 'business', '2013-03-15', '2013-05-01', '2013-05-31', 679],
    ['FI', 'business', '2013-03-16', '2013-05-01', '2013-05-31', 764],
    ['FI', 'consumer', '2013-03-15', '2013-05-01', '2013-05-31', 679],
    ['FI', 'consumer', '2013-03-16', '2013-05-01', '2013-05-31', 679],
  ] as const)('%s %s due on %s from %s to %s', (country, debtorKind, dueOn, from, to, interest) => {
    expect(rounded(interestParts({ country, debtorKind, dueOn }, { minor: 100_000, from, to }))).toBe(
      interest,
    )
  })
})

describe('Sweden, a person', () => {
  test('nothing is added before a letter', () => {
    expectOwed([document()], '100000 0 0')
  })

  test('due on a Sunday: the reminder a week later asks for 60 and seven days from the Monday', () => {
    // 1000 x 0.10 x 7/365 = 1.9178
    expectOwed([document(), letter('REMINDER', '2026-03-08')], '100000 6000 192')
  })

  test('a reminder fee that was not agreed is not owed, the interest is', () => {
    expectOwed([document({ isFeeAgreed: false }), letter('REMINDER', '2026-03-08')], '100000 0 192')
  })

  test('a letter on the due date costs nothing', () => {
    expectOwed([document(), letter('REMINDER', '2026-03-01')], '100000 0 0')
  })

  test('a second reminder costs nothing more', () => {
    // The interest of 21 days together: 5.7534
    const facts = [document(), letter('REMINDER', '2026-03-08'), letter('REMINDER', '2026-03-22', 2)]
    expectOwed(facts, '100000 6000 575')
  })

  test('the reference rate falls on 1 July', () => {
    // 2495.00: 31 days at 11 % and 46 at 10 %, 54.753
    const due = { minor: 249_500, sentOn: '2025-04-30', dueOn: '2025-05-30' }
    expectOwed([document(due), letter('REMINDER', '2025-08-15')], '249500 6000 5475')
  })

  test('366 days of a leap year count each a 365th', () => {
    // 10 000.00, due 31 December 2023, whole 2024 at 12 %: 366 days, 10000 x 0.12 x 366/365 = 1203.288
    const due = { minor: 1_000_000, sentOn: '2023-12-01', dueOn: '2023-12-31' }
    expectOwed([document(due), letter('REMINDER', '2024-12-31')], '1000000 6000 120329')
  })

  test('two invoices in one demand bear one collection fee', () => {
    // 60 + 60 + 180. Interest of 22 days on 1000 and on 500: 6.0274 + 3.0137, rounded once each, 6.03 + 3.01
    const facts = [
      document(),
      document({ id: 'B', minor: 50_000 }),
      letter('REMINDER', '2026-03-08'),
      letter('REMINDER', '2026-03-08', 1, 'B'),
      joined('2026-03-23'),
      joined('2026-03-23', 'B'),
      demand('2026-03-23'),
    ]
    expectOwed(facts, '150000 30000 904', 'K')
    expectOwed(facts, '0 0 0')
  })

  test('a second demand costs no second fee', () => {
    const facts = [document(), joined('2026-03-23'), demand('2026-03-23'), demand('2026-04-20', 2)]
    // 50 days: 1000 x 0.10 x 50/365 = 13.6986
    expectOwed(facts, '100000 18000 1370', 'K')
  })

  test('a court is paid for when somebody has applied, not because a day has come', () => {
    const court = letter('BAILIFF_PAYMENT_INJUCTION', '2026-04-20', 1, 'K')
    const facts = [document(), joined('2026-03-23'), demand('2026-03-23'), court]
    // 22 days until the demand: 6.0274
    expectOwed(facts, '100000 18000 603', 'K')
    // 300 and 380 for the representative; 50 days: 13.6986
    const applied = [...facts.slice(0, -1), { ...court, application: 'Bf 1-26' }]
    expectOwed(applied, '100000 86000 1370', 'K')
  })
})

describe('Sweden, a company', () => {
  const company = { debtorKind: 'business', sentOn: '2026-02-01' } as const

  test('450 at the earliest thirty days after the invoice was sent', () => {
    // 1 February and 30 days is 3 March. Two days are 0.548 of interest: under 1.00, not asked for yet.
    expectOwed([document(company), letter('DELAYED_PENALTY_FEE', '2026-03-03')], '100000 45000 0')
    expectOwed([document(company), letter('DELAYED_PENALTY_FEE', '2026-03-02')], '100000 0 0')
  })

  test('450 stands for reminder and demand', () => {
    const facts = [
      document(company),
      letter('DELAYED_PENALTY_FEE', '2026-03-03'),
      letter('REMINDER', '2026-03-08'),
      joined('2026-03-23'),
      demand('2026-03-23'),
    ]
    // 7 days 1.92, the other 15 days 4.1096: all of 22 days 6.0274
    expectOwed(facts, '100000 45000 603', 'K')
  })
})

describe('payments', () => {
  test('settle costs, then interest, then principal', () => {
    // 100.00 less 60.00 and 1.92 is 38.08
    expectOwed([document(), letter('REMINDER', '2026-03-08'), paid('2026-03-09', 10_000)], '96192 0 0')
  })

  test('in part and in time: interest on what is left', () => {
    // 600 x 0.10 x 7/365 = 1.1507
    expectOwed([document(), paid('2026-03-01', 40_000), letter('REMINDER', '2026-03-08')], '60000 6000 115')
  })

  test('in part, three days late: three days on all, four on the rest', () => {
    // (1000 x 3 + 600 x 4) x 0.10/365 = 1.4795
    expectOwed([document(), paid('2026-03-04', 40_000), letter('REMINDER', '2026-03-08')], '60000 6000 148')
  })

  test('on the account before the reminder, heard of after it: nothing is left of it', () => {
    expectOwed([document(), letter('REMINDER', '2026-03-08'), paid('2026-03-06', 100_000)], '0 0 0')
  })

  test('on the account on the day of the reminder: no fee either', () => {
    expectOwed([document(), letter('REMINDER', '2026-03-08'), paid('2026-03-08', 100_000)], '0 0 0')
  })

  test('in part before the reminder, heard of after it: the fee stands, the interest is of the rest', () => {
    // As if it had been known: 600 for four days and 1000 for three.
    expectOwed([document(), letter('REMINDER', '2026-03-08'), paid('2026-03-04', 40_000)], '60000 6000 148')
  })

  test('a day after the reminder: the fee stands', () => {
    // 1000.00 pays 60.00 and 1.92; 61.92 of principal is left
    expectOwed([document(), letter('REMINDER', '2026-03-08'), paid('2026-03-09', 100_000)], '6192 0 0')
  })

  test('paid before the demand: neither fee nor claim', () => {
    const facts = [document(), joined('2026-03-23'), demand('2026-03-23'), paid('2026-03-22', 100_000)]
    expectOwed(facts, '0 0 0')
    expect(judge(facts).owed.has('K')).toBe(false)
  })

  test('too much is owed back', () => {
    const facts = [document(), paid('2026-02-20', 110_000)]
    expectOwed(facts, '0 0 0')
    expectBack(facts, 10_000)
  })

  test('a rest of 25.00 may be given up once something has been paid, one of 25.01 is owed', () => {
    const most = [document(), paid('2026-02-20', 97_500)]
    expectOwed(most, '2500 0 0')
    expectOwed([...most, givenUp('2026-02-20', 2_500)], '0 0 0')
    const less = [document(), paid('2026-02-20', 97_499)]
    expect(() => judge([...less, givenUp('2026-02-20', 2_501)])).toThrow('may not be given up')
    expect(() => judge([document({ minor: 2_500 }), givenUp('2026-02-20', 2_500)])).toThrow(
      'may not be given up',
    )
  })

  test('what was given up before earlier money was heard of is owed back as far as that paid it', () => {
    // 990.00 came, 10.00 were given up, and 4.00 had been there before.
    const facts = [
      document(),
      paid('2026-02-20', 99_000),
      givenUp('2026-02-20', 1_000),
      paid('2026-02-19', 400),
    ]
    expectOwed(facts, '0 0 0')
    expectBack(facts, 400)
    // Of a credit of everything all that had been paid is owed back, and nothing more.
    expectBack([...facts, credited('2026-02-25', 100_000)], 99_400)
  })

  test('what was given up of a fee that falls since is not owed back: nobody has paid it', () => {
    // 1000.00, 60.00 and 1.92 were asked for: 1051.92 came, 10.00 were given up. 1000.00 had been there before the reminder.
    const facts = [
      document(),
      letter('REMINDER', '2026-03-08'),
      paid('2026-03-09', 105_192),
      givenUp('2026-03-09', 1_000),
      paid('2026-03-05', 100_000),
    ]
    expectOwed(facts, '0 0 0')
    expectBack(facts, 105_192)
  })

  test('given up on a claim that would not have been opened: more money is owed back whole', () => {
    // 990.00 before the demand leave 10.00, which are given up; 500.00 of the day after are too much.
    const facts = [
      document(),
      joined('2026-03-23'),
      demand('2026-03-23'),
      paid('2026-03-20', 99_000),
      { ...givenUp('2026-03-24', 1_000, '2026-03-20'), debt: 'K' },
      paid('2026-03-21', 50_000),
    ]
    expectOwed(facts, '0 0 0')
    expectBack(facts, 50_000)
  })

  test('on a rest of twice the reminder fee nothing more is charged', () => {
    expectOwed([document(), paid('2026-02-20', 88_000), letter('REMINDER', '2026-03-08')], '12000 0 0')
    // 120.01 for seven days: 0.23, which is under 1.00
    expectOwed([document(), paid('2026-02-20', 87_999), letter('REMINDER', '2026-03-08')], '12001 6000 0')
  })

  test('taken back: the days on which it looked paid bear nothing', () => {
    const payment = paid('2026-02-27', 100_000)
    const id = payment.kind === 'payment' ? payment.id : ''
    const facts = [
      document(),
      payment,
      { kind: 'taken-back', payment: id, on: '2026-03-11' } as const,
      letter('REMINDER', '2026-03-21'),
    ]
    // 12 to 21 March, ten days: 2.7397
    expectOwed(facts, '100000 6000 274')
  })

  test('paid late before any letter: 100.00 of interest are billed, 99.99 are not', () => {
    // 500 000.00 for ten days: 1369.863
    const large = { minor: 50_000_000 }
    expect(
      judge([document(large), paid('2026-03-11', 50_000_000), night('2026-03-12')]).billed.get('A'),
    ).toBe(136_986)
    // 36 496.00 for ten days is 99.989, 36 500.00 is 100.00
    const bill = (minor: number) =>
      judge([document({ minor }), paid('2026-03-11', minor), night('2026-03-12')]).billed.get('A')
    expect(bill(3_649_600)).toBeUndefined()
    expect(bill(3_650_000)).toBe(10_000)
  })
})

describe('what turns out not to be owed', () => {
  test('a credit of everything takes fee and interest with it', () => {
    expectOwed([document(), letter('REMINDER', '2026-03-08'), credited('2026-03-10', 100_000)], '0 0 0')
  })

  test('a credit of a part leaves them', () => {
    expectOwed(
      [document(), letter('REMINDER', '2026-03-08'), credited('2026-03-10', 40_000)],
      '60000 6000 192',
    )
  })

  test('a credit of all that the reminder asked for takes its fee', () => {
    const facts = [document(), paid('2026-02-20', 70_000), letter('REMINDER', '2026-03-08')]
    expectOwed(facts, '30000 6000 0')
    expectOwed([...facts, credited('2026-03-10', 29_999)], '1 6000 0')
    expectOwed([...facts, credited('2026-03-10', 30_000)], '0 0 0')
  })

  test('what had been paid of it is owed back', () => {
    const facts = [document(), letter('REMINDER', '2026-03-08'), paid('2026-03-09', 106_192)]
    expectOwed(facts, '0 0 0')
    expectBack([...facts, credited('2026-03-10', 100_000)], 106_192)
  })

  test('an objection that was right in part: fees and interest so far fall, fourteen days to pay the rest', () => {
    const facts = [
      document(),
      letter('REMINDER', '2026-03-08'),
      disputed('2026-03-10'),
      answered('2026-03-20', 20_000),
    ]
    expectOwed(facts, '80000 0 0')
    // The new last day is 3 April; 800 x 0.10 x 6/365 = 1.3151, down to 1.31
    expectOwed([...facts, letter('REMINDER', '2026-04-09')], '80000 6000 131')
  })

  test('an objection that was right in part, long before the last day to pay: that stays', () => {
    const facts = [document(), disputed('2026-02-02'), answered('2026-02-03', 20_000)]
    // The day before the last one, though more than fourteen days after the answer.
    expectOwed([...facts, letter('REMINDER', '2026-02-28')], '80000 0 0')
    // 800 x 0.10 x 7/365 = 1.5342
    expectOwed([...facts, letter('REMINDER', '2026-03-08')], '80000 6000 153')
  })

  test('an objection that was wrong: nothing is taken back', () => {
    const facts = [
      document(),
      letter('REMINDER', '2026-03-08'),
      disputed('2026-03-10'),
      answered('2026-03-20', null),
    ]
    expectOwed(facts, '100000 6000 192')
  })

  test('a letter that left its interest out, as another had told it that was never sent: the next one tells all of it', () => {
    const facts = [document(), { ...letter('REMINDER', '2026-03-08'), isSilent: true }]
    expectOwed(facts, '100000 6000 0')
    // From 2 to 22 March: 1000 x 0.10 x 21/365 = 5.7534
    expectOwed([...facts, letter('REMINDER', '2026-03-22', 2)], '100000 6000 575')
  })

  test('no letter costs anything while an objection is open, or a respite runs', () => {
    expectOwed([document(), disputed('2026-03-05'), letter('REMINDER', '2026-03-08')], '100000 0 0')
    const respite = { kind: 'pause', debt: 'A', on: '2026-03-05' } as const
    expectOwed([document(), respite, letter('REMINDER', '2026-03-08')], '100000 0 0')
  })
})

describe('Norway, 12.5 % in the first half of 2025', () => {
  const due = { country: 'NO', sentOn: '2025-02-01', dueOn: '2025-03-01', isFeeAgreed: false } as const

  test('35 for a reminder fourteen days after the due date, nothing a day sooner', () => {
    // 1000 x 0.125 x 14/365 = 4.7945; 13 days 4.4521
    expectOwed([document(due), letter('REMINDER', '2025-03-15')], '100000 3500 479')
    expectOwed([document(due), letter('REMINDER', '2025-03-14')], '100000 0 445')
  })

  const warned = [
    document(due),
    letter('REMINDER', '2025-03-15'),
    letter('COLLECTION_NOTIFICATION', '2025-03-31'),
    joined('2025-04-19'),
    demand('2025-04-19'),
  ]
  test('35 for the warning, and the light fee of 245 up to 1000', () => {
    // 35 + 35 + 245. 49 days: 16.7808
    expectOwed(warned, '100000 31500 1678', 'K')
  })

  test('the light fee once more for the heavy one, 43 days later at the earliest', () => {
    // 19 April and 43 days is 1 June. 92 days: 31.5068
    expectOwed([...warned, demand('2025-06-01', 2)], '100000 56000 3151', 'K')
    // 91 days: 31.1644
    expectOwed([...warned, demand('2025-05-31', 2)], '100000 31500 3116', 'K')
  })

  const company = [
    document({ ...due, debtorKind: 'business', minor: 300_000 }),
    letter('DELAYED_PENALTY_FEE', '2025-03-02'),
  ]
  test('compensation of 470 stands for the first 470 of the fee of 560', () => {
    // 300 000 x 0.125 x 49/365 = 50.342
    expectOwed([...company, joined('2025-04-19'), demand('2025-04-19')], '300000 56000 5034', 'K')
  })

  test('also once it has been paid', () => {
    // The day's interest of 2 March, 1.03, is told with the compensation and paid with it: 470.00 + 1.03.
    const facts = [...company, paid('2025-03-10', 47_103), joined('2025-04-19'), demand('2025-04-19')]
    // 560 less 470. The other 48 days: 49.3151
    expectOwed(facts, '300000 9000 4931', 'K')
  })
})

describe('Denmark, 11.75 % in the first half of 2024', () => {
  const due = { country: 'DK', sentOn: '2024-01-31', dueOn: '2024-03-01' } as const

  test('100 for each of three reminders, ten days apart', () => {
    const facts = [
      document(due),
      letter('REMINDER', '2024-03-06'),
      letter('REMINDER', '2024-03-17', 2),
      letter('REMINDER', '2024-03-28', 3),
    ]
    // 27 days: 1000 x 0.1175 x 27/365 = 8.6918
    expectOwed(facts, '100000 30000 869')
    expectOwed([...facts, letter('REMINDER', '2024-04-08', 4)], '100000 30000 1223') // 38 days: 12.2329
  })

  test('a reminder nine days after another costs nothing', () => {
    const facts = [document(due), letter('REMINDER', '2024-03-06'), letter('REMINDER', '2024-03-15', 2)]
    // 14 days: 4.5068
    expectOwed(facts, '100000 10000 451')
  })

  test('310 between companies, and no fee of 100 on top', () => {
    const facts = [
      document({ ...due, debtorKind: 'business' }),
      letter('DELAYED_PENALTY_FEE', '2024-03-02'),
      joined('2024-04-20'),
      demand('2024-04-20'),
    ]
    // 50 days: 16.0959
    expectOwed(facts, '100000 31000 1610', 'K')
  })

  test('two half-years: 11.25 % and 11.75 %', () => {
    // 13.870 + 14.969
    const old = { ...due, minor: 150_000, sentOn: '2023-11-01', dueOn: '2023-12-01' }
    expectOwed([document(old), letter('REMINDER', '2024-01-31')], '150000 10000 2884')
  })
})

describe('what a person lets the debtor off', () => {
  // 60.00, and 21 days on 1 000.00 at 10 %: 5.7534
  const reminded = [document(), letter('REMINDER', '2026-03-22')]

  test('a fee that is waived is gone, and is not paid back by money that takes its ground', () => {
    const facts = [...reminded, waived('2026-03-23', 'costs', 6000)]
    expectOwed(facts, '100000 0 575')
    const all = [...facts, paid('2026-03-01', 100_000)]
    expectOwed(all, '0 0 0')
    expectBack(all, 0)
  })

  test('a fee is waived as a whole, also what of it had been paid before and was heard of later', () => {
    expectOwed([...reminded, waived('2026-03-24', 'costs', 6000), paid('2026-03-23', 4000)], '96575 0 0')
  })

  test('all interest: the next letter tells of the days since', () => {
    // Ten days: 2.7397
    const facts = [...reminded, waived('2026-04-01', 'interest', 575, true)]
    expectOwed([...facts, joined('2026-04-11'), demand('2026-04-11')], '100000 24000 274', 'K')
  })

  test('a waived fee leaves no room under a ceiling', () => {
    const due = { country: 'FI', isFeeAgreed: false, minor: 10_000 } as const
    const facts = [document(due), letter('REMINDER', '2026-03-15'), waived('2026-03-16', 'costs', 500)]
    const claim = [joined('2026-04-06'), ...[1, 2, 3, 4].map((n) => demand(`2026-0${3 + n}-20`, n))]
    const fees = (all: Parameters<typeof judge>[0]) => judge(all).owed.get('K')?.costs
    expect(fees([...facts, ...claim])).toBe((fees([...facts.slice(0, 2), ...claim]) ?? 0) - 500)
  })

  test('so much is written off of fees, interest, and then of what was bought', () => {
    expectOwed([...reminded, writtenOff('2026-03-23', 50_000)], '56575 0 0')
  })

  test('all is written off: money of before and after is owed back, and no more than that', () => {
    const facts = [...reminded, writtenOff('2026-03-23', 106_575)]
    expectOwed(facts, '0 0 0')
    expectBack([...facts, paid('2026-04-01', 40_000)], 40_000)
    expectBack([...facts, paid('2026-03-01', 100_000)], 100_000)
  })
})

describe('Finland, 9.5 and 10.5 % in the first half of 2026', () => {
  const due = { country: 'FI', isFeeAgreed: false } as const

  test('5 for a reminder, 24 for the demand of 101 to 1000 euros, half of that for the second', () => {
    const facts = [
      document(due),
      letter('REMINDER', '2026-03-15'),
      joined('2026-04-06'),
      demand('2026-04-06'),
    ]
    // 36 days: 1000 x 0.095 x 36/365 = 9.3699
    expectOwed(facts, '100000 2900 937', 'K')
    // 57 days: 14.8356
    expectOwed([...facts, demand('2026-04-27', 2)], '100000 4100 1484', 'K')
  })

  test('14 for the demand of 100 euros', () => {
    // 36 days on 100: 0.937, under 1.00 and not asked for
    expectOwed(
      [document({ ...due, minor: 10_000 }), joined('2026-04-06'), demand('2026-04-06')],
      '10000 1400 0',
      'K',
    )
  })

  test('all costs of a debt up to 100 euros end at 60', () => {
    const ten = Array.from({ length: 10 }, (_, n) => String(n))
    const facts = [
      ...ten.map((id) => document({ ...due, id, minor: 1_000 })),
      ...ten.map((id) => letter('REMINDER', '2026-03-15', 1, id)),
      ...ten.map((id) => joined('2026-04-06', id)),
      demand('2026-04-06'),
    ]
    // Ten reminders are 50; of the demand's 14 there is room for 10.
    expectOwed(facts, '10000 6000 0', 'K')
  })

  test('40 between companies, and 10 of the 50 for the demand on top', () => {
    const facts = [
      document({ ...due, debtorKind: 'business', minor: 50_000 }),
      letter('DELAYED_PENALTY_FEE', '2026-03-02'),
      joined('2026-04-06'),
      demand('2026-04-06'),
    ]
    // 36 days: 500 x 0.105 x 36/365 = 5.1781
    expectOwed(facts, '50000 5000 518', 'K')
  })
})

describe('the dispute of a claim', () => {
  // 60 for the reminder and 180 for the demand; 100 of them paid.
  const facts = [
    document(),
    letter('REMINDER', '2026-03-08'),
    joined('2026-04-01'),
    demand('2026-04-01'),
    paid('2026-04-05', 10_000, 'K'),
    disputed('2026-04-10', 'K'),
  ]

  test('the debtor was right: nothing is owed, and what was paid of the fees is owed back', () => {
    const upheld = [...facts, answered('2026-04-15', 'all', 'K')]
    expectOwed(upheld, '0 0 0', 'K')
    expectOwed(upheld, '0 0 0')
    expectBack(upheld, 10_000)
  })

  test('the creditor was right: all stays as it was', () => {
    const rejected = [...facts, answered('2026-04-15', null, 'K')]
    // 31 days on 1000 at 10 %: 1.92 and 6.57; 240 less 100
    expectOwed(rejected, '100000 14000 849', 'K')
    expectBack(rejected, 0)
  })
})

test('Denmark: on a claim with what fell due before 1 March 2013 all goes by the older law', () => {
  const old = { country: 'DK', sentOn: '2013-01-30' } as const
  const facts = [
    document({ ...old, id: 'B', dueOn: '2013-03-01' }),
    document({ ...old, dueOn: '2013-02-28' }),
    joined('2013-03-31', 'B'),
    joined('2013-03-31'),
    demand('2013-04-30'),
  ]
  // On joining 30 days at 8.20 % (6.740) and 31 at 7.20 % (6.115); then 30 days on 2000 at 7.20 %: 11.836.
  expectOwed(facts, '200000 10000 2469', 'K')
})
