import { expect, test } from 'vitest'
import { readBankStatus } from './bank-status.ts'

// openbankingproject-ch swiss-ng-api.yaml for the codes; ours beside them, unsigned and signed.
test.each([
  ['RCVD', 'IN_PROGRESS', 'IN_PROGRESS'],
  ['PDNG', 'IN_PROGRESS', 'AUTHORIZED'],
  ['PATC', 'IN_PROGRESS', 'IN_PROGRESS'],
  ['PART', 'IN_PROGRESS', 'IN_PROGRESS'],
  ['ACTC', 'IN_PROGRESS', 'AUTHORIZED'],
  ['ACCP', 'AUTHORIZED', 'AUTHORIZED'],
  ['ACFC', 'AUTHORIZED', 'AUTHORIZED'],
  ['ACWC', 'AUTHORIZED', 'AUTHORIZED'],
  ['ACSP', 'AUTHORIZED', 'AUTHORIZED'],
  ['ACWP', 'AUTHORIZED', 'AUTHORIZED'],
  ['ACSC', 'COMPLETED', 'COMPLETED'],
  ['ACCC', 'COMPLETED', 'COMPLETED'],
  ['RJCT', 'FAILED', 'FAILED'],
  ['CANC', 'FAILED', 'FAILED'],
] as const)('%s is %s before the signature and %s after it', (code, unsigned, signed) => {
  expect(readBankStatus(code, false)).toBe(unsigned)
  expect(readBankStatus(code, true)).toBe(signed)
})

test.each(['', 'acsc', 'XXXX', 'COMPLETED'])('"%s" says nothing', (code) => {
  expect(readBankStatus(code, false)).toBeUndefined()
  expect(readBankStatus(code, true)).toBeUndefined()
})
