/**
 * Faults of money that the product once had, or nearly: each one changed statement. Stories under the oracle have to find
 * each of them.
 */
import { PLANTED_BUGS, type PlantedBug } from '../simulation/planted-bugs.ts'

/** Of the other simulation, those that change what somebody owes without anybody's being cut off. */
const ALSO_THERE = [
  'interest is counted again from the due date',
  'fees of a dispute that was upheld stay',
  'money goes to the wrong bucket of another account',
]

export const PLANTED_FAULTS: readonly PlantedBug[] = [
  {
    name: 'a second entry of a bank is taken for the first',
    statement: 'bankFiles.waiting',
    change: (text) =>
      text.replace(
        `status = 'WAITING'`,
        `status = 'WAITING' and not exists (select from bank_line d where d.instance_id = bank_line.instance_id
           and d.account_id = bank_line.account_id and d.amount_minor = bank_line.amount_minor
           and d.bank_date = bank_line.bank_date and d.id < bank_line.id)`,
      ),
  },
  {
    name: 'money that two formats tell of is booked twice',
    statement: 'toldAgain.line',
    change: (text) => text.replace('limit 1', 'limit 0'),
  },
  {
    name: 'a ceiling counts the costs that are open, not what was charged',
    statement: 'collection.dueClaimSteps',
    change: (text) =>
      text.replace(/case when \(k\.country[\s\S]*?as charged_minor/, 'c.costs_minor as charged_minor'),
  },
  {
    name: 'a reminder costs its fee although nobody agreed to one',
    statement: 'collection.dueSteps',
    change: (text) => text.replace(/coalesce\(c\.reminder_fee_agreed_on <= [^)]*\) as/, 'true as'),
  },
  {
    name: 'money counts from the day on which it was booked',
    statement: 'bankFiles.waitingLine',
    change: (text) =>
      text.replace('l.bank_date, l.value_date,', 'l.bank_date + 30 as bank_date, null::date as value_date,'),
  },
  {
    name: 'a fee stays though the money was there before its reminder',
    statement: 'ledger.storyOfInvoice',
    change: (text) => `select * from (${text}) story where false`,
  },
  {
    name: 'what a credit note leaves without ground stays',
    statement: 'ledger.invoiceDebtEventsByDay',
    change: (text) => `select * from (${text}) e where false`,
  },
  ...PLANTED_BUGS.filter(({ name }) => ALSO_THERE.includes(name)),
]
