/** Vector files about payments at a bank. */
import { readBankStatus } from '@kvitt/domain/payments/bank-status.ts'
import { isFinal } from '@kvitt/domain/payments/payment.ts'
import type { Check } from './check.ts'

type BankStatusFile = { map: { iso: string; ours: string; final: boolean }[] }

/** A star in the file means: only once the payer has signed, IN_PROGRESS before that. */
export function checkBankStatuses(file: BankStatusFile): Check[] {
  return file.map.flatMap(({ iso, ours, final }): Check[] => {
    const afterSigning = ours.endsWith('*')
    const read = () => readBankStatus(iso, afterSigning)
    return [
      { id: `bank ${iso}`, expected: ours.replace('*', ''), actual: read },
      { id: `bank ${iso} final`, expected: final, actual: () => isFinal(read() ?? 'CREATED') },
      ...(afterSigning
        ? [{ id: `bank ${iso} unsigned`, expected: 'IN_PROGRESS', actual: () => readBankStatus(iso, false) }]
        : []),
    ]
  })
}
