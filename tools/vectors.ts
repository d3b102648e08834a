/**
 * Runs published test vectors through the domain: `npm run vectors -- DIR`. Every JSON file of DIR is one
 * format; a file whose format has no function yet counts as one failure. Exit code 1 when anything fails.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkGiroNumbers, checkIbans, checkZips } from './vectors/accounts.ts'
import { checkBgMax, checkOcrGiro } from './vectors/bank-files.ts'
import { checkAnimatedQr } from './vectors/bankid.ts'
import { failureOf, type Format } from './vectors/check.ts'
import { checkAprs, checkLateInterest, checkPartPayments } from './vectors/credit.ts'
import { checkBankStatuses, checkEpcCodes, checkSwish, checkUsingQrCodes } from './vectors/payments.ts'
import { checkIdentificationNumbers } from './vectors/people.ts'
import {
  checkCreditorReferences,
  checkFik,
  checkFinnishReferences,
  checkGiroLines,
  checkKid,
  checkOcr,
} from './vectors/references.ts'
import { checkVippsWebhooks } from './vectors/vipps.ts'

const FORMATS = new Map<string, Format>([
  ['apr.json', checkAprs],
  ['bankgiro-plusgiro.json', checkGiroNumbers],
  ['bankid-qr.json', checkAnimatedQr],
  ['bgmax-expected.json', checkBgMax],
  ['epc-qr.json', checkEpcCodes],
  ['fik.json', checkFik],
  ['finnish-ref.json', checkFinnishReferences],
  ['giro-line.json', checkGiroLines],
  ['iban.json', checkIbans],
  ['identification-numbers.json', checkIdentificationNumbers],
  ['kid.json', checkKid],
  ['late-interest.json', checkLateInterest],
  ['netsgiro-expected.json', checkOcrGiro],
  ['ocr.json', checkOcr],
  ['part-payment.json', checkPartPayments],
  ['psd2-status-map.json', checkBankStatuses],
  ['rf-creditor-reference.json', checkCreditorReferences],
  ['swish.json', checkSwish],
  ['usingqr.json', checkUsingQrCodes],
  ['vipps-webhook.json', checkVippsWebhooks],
  ['zip.json', checkZips],
])

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function runFile(directory: string, name: string): { passed: number; failures: string[] } {
  const format = FORMATS.get(name)
  if (!format) return { passed: 0, failures: [`missing: ${name}: no function for this format yet`] }
  try {
    const checks = format(JSON.parse(readFileSync(join(directory, name), 'utf8')) as never, directory)
    if (checks.length === 0) throw new Error('it holds no vectors')
    const failures = checks.map(failureOf).filter((failure) => failure !== undefined)
    return {
      passed: checks.length - failures.length,
      failures: failures.map((failure) => `failed: ${name}: ${failure}`),
    }
  } catch (error) {
    return { passed: 0, failures: [`failed: ${name}: ${reasonOf(error)}`] }
  }
}

function main(directory: string | undefined): number {
  if (!directory) {
    console.error('usage: npm run vectors -- DIR')
    return 2
  }
  let names: string[]
  try {
    names = readdirSync(directory).filter((name) => name.endsWith('.json'))
  } catch (error) {
    console.error(`${directory} cannot be read: ${reasonOf(error)}`)
    return 2
  }
  const results = names.sort().map((name) => runFile(directory, name))
  for (const failure of results.flatMap((result) => result.failures)) console.log(failure)
  const passed = results.reduce((total, result) => total + result.passed, 0)
  const failed = results.reduce((total, result) => total + result.failures.length, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 || passed === 0 ? 1 : 0
}

process.exitCode = main(process.argv[2])
