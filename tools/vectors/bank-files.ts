/** Vector files about what banks and gateways send: each names the published file that it was read from. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sumOfBankLines, type BankFile } from '@kvitt/domain/bank-files/bank-file.ts'
import { readBgMax } from '@kvitt/domain/bank-files/bgmax.ts'
import { readOcrGiro } from '@kvitt/domain/bank-files/ocr-giro.ts'
import type { Check } from './check.ts'

/** Vectors name their sample from the folder above theirs. */
function sample(directory: string, name: string): string {
  return readFileSync(join(directory, '..', name), 'latin1')
}

type BgMaxPayment = {
  deduction?: boolean
  ref: string
  ore: number
  extraRefs?: string[]
  name?: string
  info?: string[]
}
type BgMaxFile = {
  file: string
  sections: {
    bg: string
    payments: BgMaxPayment[]
    deposit: { date: string; serial: string; ore: number; entries: number }
  }[]
  end: { sections: number }
}

export function checkBgMax(file: BgMaxFile, directory: string): Check[] {
  const read = (): BankFile => readBgMax(sample(directory, file.file))
  const sections = file.sections.flatMap(({ bg, payments, deposit }, index): Check[] => {
    const ours = () => read().deposits[index]
    const lines = payments.flatMap((payment, at): Check[] => {
      const line = () => ours()?.lines[at]
      const references = [...payment.ref.split(' '), ...(payment.extraRefs ?? [])].filter((r) => r !== '')
      const id = `bgmax ${deposit.serial}/${at + 1}`
      return [
        { id: `${id} amount`, expected: payment.ore, actual: () => line()?.amountMinor },
        {
          id: `${id} kind`,
          expected: payment.deduction ? 'deduction' : 'payment',
          actual: () => line()?.kind,
        },
        { id: `${id} references`, expected: [...new Set(references)], actual: () => line()?.references },
        ...(payment.name ? [{ id: `${id} payer`, expected: payment.name, actual: () => line()?.payer }] : []),
        ...(payment.info
          ? [{ id: `${id} message`, expected: payment.info.join('\n'), actual: () => line()?.message }]
          : []),
      ]
    })
    const { date, serial, ore, entries } = deposit
    return [
      ...lines,
      { id: `bgmax ${serial} account`, expected: bg.replace('-', ''), actual: () => ours()?.account },
      { id: `bgmax ${serial} key`, expected: `bgmax:${date}:${serial}`, actual: () => ours()?.key },
      { id: `bgmax ${serial} sum`, expected: ore, actual: () => sumOfBankLines(ours()?.lines ?? []) },
      { id: `bgmax ${serial} entries`, expected: entries, actual: () => ours()?.lines.length },
    ]
  })
  return [
    ...sections,
    { id: 'bgmax deposits', expected: file.end.sections, actual: () => read().deposits.length },
  ]
}

type OcrGiroFile = {
  file: string
  transactions: number
  totalOre: number
  payeeAccount: string
  netsDate: string
  firstTransaction: { ore: number; kid: string; netsDate: string }
}

export function checkOcrGiro(file: OcrGiroFile, directory: string): Check[] {
  const ours = () => readOcrGiro(sample(directory, file.file)).deposits[0]
  const { firstTransaction: first } = file
  return [
    { id: 'ocr giro account', expected: file.payeeAccount, actual: () => ours()?.account },
    { id: 'ocr giro lines', expected: file.transactions, actual: () => ours()?.lines.length },
    { id: 'ocr giro sum', expected: file.totalOre, actual: () => sumOfBankLines(ours()?.lines ?? []) },
    { id: 'ocr giro day', expected: file.netsDate, actual: () => ours()?.key.split(':')[1] },
    {
      id: 'ocr giro first',
      expected: [first.ore, [first.kid], first.netsDate],
      actual: () => {
        const line = ours()?.lines[0]
        return [line?.amountMinor, line?.references, line?.day]
      },
    },
  ]
}
