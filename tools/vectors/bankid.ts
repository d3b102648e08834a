/** Vector files about BankID. */
import { createHmac } from 'node:crypto'
import { animatedQr } from '@kvitt/domain/electronic-id/animated-qr.ts'
import type { Check } from './check.ts'

type QrFile = {
  vectors: {
    qrStartToken: string
    qrStartSecret: string
    qrTime: number
    qrAuthCode: string
    qrData: string
  }[]
}

function hmac(key: string, message: string): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

/** The animated code at a second of its life, and the part of it that proves the second. */
export function checkAnimatedQr(file: QrFile): Check[] {
  return file.vectors.flatMap(({ qrStartToken, qrStartSecret, qrTime, qrAuthCode, qrData }) => {
    const code = (): string => animatedQr({ qrStartToken, qrStartSecret }, qrTime, hmac)
    const id = `bankid ${qrStartToken.slice(0, 8)} ${qrTime}`
    return [
      { id, expected: qrData, actual: code },
      { id: `${id} code`, expected: qrAuthCode, actual: () => code().split('.')[3] },
    ]
  })
}
