/** Vector files about payments at a bank. */
import { readBankStatus } from '@kvitt/domain/payments/bank-status.ts'
import { isFinal } from '@kvitt/domain/payments/payment.ts'
import {
  isSwishInstructionId,
  readSwishStatus,
  SWISH_ERRORS,
  swishAppLink,
  swishMessage,
  swishQrText,
  swishTokenOf,
} from '@kvitt/domain/payments/swish.ts'
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

type SwishFile = {
  vectors: { token: string; returnUrl: string; appLink: string; qrContent: string }[]
  instructionUUID: { valid: string[]; invalid: string[] }
  message: { maxLength: number }
  statusMap: { swish: string; ours: string; except?: string }[]
  mss: { message: string }[]
}

/** An exception in the status map names the one error code that is no end. */
export function checkSwish(file: SwishFile): Check[] {
  const links = file.vectors.flatMap(({ token, returnUrl, appLink, qrContent }): Check[] => [
    { id: `link ${token}`, expected: appLink, actual: () => swishAppLink(token, returnUrl) },
    { id: `token ${token}`, expected: token, actual: () => swishTokenOf(appLink) },
    { id: `qr ${token}`, expected: qrContent, actual: () => swishQrText(token) },
  ])
  const ids = (['valid', 'invalid'] as const).flatMap((kind) =>
    file.instructionUUID[kind].map((text): Check => {
      return { id: `id ${text}`, expected: kind === 'valid', actual: () => isSwishInstructionId(text) }
    }),
  )
  const statuses = file.statusMap.flatMap(({ swish, ours, except }): Check[] => {
    const unknown = /^[A-Z0-9]+/.exec(except ?? '')?.[0]
    return [
      { id: `status ${swish}`, expected: ours, actual: () => readSwishStatus(swish, undefined) },
      ...(unknown === undefined
        ? []
        : [
            {
              id: `status ${swish} ${unknown}`,
              expected: 'IN_PROGRESS',
              actual: () => readSwishStatus(swish, unknown),
            },
          ]),
    ]
  })
  const errors = file.mss.map(({ message }): Check => {
    return { id: `error ${message}`, expected: true, actual: () => Object.hasOwn(SWISH_ERRORS, message) }
  })
  const { maxLength } = file.message
  const longest = { id: 'message', expected: maxLength, actual: () => swishMessage('x'.repeat(200)).length }
  return [...links, ...ids, ...statuses, ...errors, longest]
}
