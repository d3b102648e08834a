/** What is known of a person so that nothing may be asked of them as before: their debts rest, of all creditors. */
import { addDays, type CalendarDate } from '../calendar.ts'

/**
 * With each all debts of all creditors rest: no fee, letter, step, plan or application, until somebody says that it goes on; of a minor, and of
 * somebody with a guardian, that is said only while a guardian is entered (M-37).
 */
export const RESTING_FLAGS = ['DECEASED', 'BANKRUPT', 'DEBT_RELIEF', 'MINOR', 'GUARDIAN'] as const
export type RestingFlag = (typeof RESTING_FLAGS)[number]

/** `PROTECTED`: where the person lives, and how they are reached, is nobody's to see (M-36). Their debts go on. */
export const FLAG_KINDS = [...RESTING_FLAGS, 'PROTECTED'] as const
export type FlagKind = (typeof FLAG_KINDS)[number]

export function isRestingFlag(kind: FlagKind): kind is RestingFlag {
  return (RESTING_FLAGS as readonly FlagKind[]).includes(kind)
}

/**
 * What the operator makes of a flag. `FILED`: what is owed was told to the estate, the administrator or the authority, and rests.
 * `STOP`: nothing is asked for any more. `GO_ON`: it stands, and keeps nothing back.
 */
export const FLAG_ANSWERS = ['FILED', 'STOP', 'GO_ON'] as const
export type FlagAnswer = (typeof FLAG_ANSWERS)[number]

export const FILED_WITH = ['ESTATE', 'ADMINISTRATOR', 'AUTHORITY'] as const
export type FiledWith = (typeof FILED_WITH)[number]

/** What may still be answered: that it goes on, and that all is stopped, are said once. Whoever was wrong ends the flag and sets another. */
export function canAnswer(before: FlagAnswer | null): boolean {
  return before === null || before === 'FILED'
}

/** Why a debt is stopped when its debtor's flag is answered so (M-24). */
export const STOP_REASON_OF: Readonly<
  Record<RestingFlag, 'DECEASED' | 'BANKRUPTCY' | 'DEBT_RELIEF' | 'OTHER'>
> = {
  DECEASED: 'DECEASED',
  BANKRUPT: 'BANKRUPTCY',
  DEBT_RELIEF: 'DEBT_RELIEF',
  MINOR: 'OTHER',
  GUARDIAN: 'OTHER',
}

/** So far back a flag may begin, in days: whoever types a wrong century is told. */
const LONGEST_DAYS = 30 * 366

/** The days on which a flag may have begun: facts arrive late, never early. */
export function daysOfFlag(today: CalendarDate): { readonly from: CalendarDate; readonly to: CalendarDate } {
  return { from: addDays(today, -LONGEST_DAYS), to: today }
}
