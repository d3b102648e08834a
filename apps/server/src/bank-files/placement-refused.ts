/** Why money that a person places stays where it is. */
export type PlacementCode =
  | 'no_such_line'
  | 'not_in_suspense'
  | 'not_booked'
  | 'sent_back'
  | 'is_deduction'
  | 'no_such_debt'
  | 'several_debts'
  | 'other_creditor'
  | 'other_currency'
  | 'not_open'
  | 'nothing_owed'
  | 'in_a_plan'
  | 'not_the_same'
  | 'part_too_large'
  | 'parts_differ'

/** Why the money stays where it is, as a code and a sentence for a person. Nothing has changed. */
export class PlacementRefused extends Error {
  override name = 'PlacementRefused'
  readonly code: PlacementCode
  /** What the sentence names, for whoever says it in another language. */
  readonly params: Readonly<Record<string, string>>
  /** Which of several parts it is about, from 0. */
  part: number | undefined
  constructor(code: PlacementCode, sentence: string, params: Readonly<Record<string, string>> = {}) {
    super(sentence)
    this.code = code
    this.params = params
  }
}
