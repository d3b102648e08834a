export type CourtCode =
  | 'no_such_claim'
  | 'no_such_creditor'
  | 'several_claims'
  | 'no_case_number'
  | 'not_open'
  | 'in_a_plan'
  | 'disputed'
  | 'paused'
  | 'rests'
  | 'too_early'
  | 'in_the_future'
  | 'schedule_running'
  | 'not_wanted'
  | 'application_stands'
  | 'recorded_otherwise'
  | 'case_of_another_claim'
  | 'no_such_case'
  | 'not_after_that'
  | 'nothing_charged'

/** Why nothing was recorded, as a code and a sentence for a person. Nothing has changed. */
export class CourtRefused extends Error {
  override name = 'CourtRefused'
  readonly code: CourtCode
  constructor(code: CourtCode, sentence: string) {
    super(sentence)
    this.code = code
  }
}
