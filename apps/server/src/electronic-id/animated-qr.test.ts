import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { animatedQr } from '@kvitt/domain/electronic-id/animated-qr.ts'

/** The example of BankID's own guidelines; the third was computed from the same input by others. */
test.each([
  [0, 'dc69358e712458a66a7525beef148ae8526b1c71610eff2c16cdffb4cdac9bf8'],
  [1, '949d559bf23403952a94d103e67743126381eda00f0b3cbddbf7c96b1adcbce2'],
  [10, '2822ca616ce1e64a1c171df69154ebc5adef4011244c867d6ad88a02db178962'],
])('the official code after %i seconds', (seconds, code) => {
  const order = {
    qrStartToken: '67df3917-fa0d-44e5-b327-edcc928297f8',
    qrStartSecret: 'd28db9a7-4cde-429e-a983-359be676944c',
  }
  const hmac = (key: string, message: string): string =>
    createHmac('sha256', key).update(message).digest('hex')
  expect(animatedQr(order, seconds, hmac)).toBe(`bankid.${order.qrStartToken}.${seconds}.${code}`)
})
