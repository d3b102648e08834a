/** Where a debtor takes electronic invoices, as creditors' files tell it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { begin, importAll, importOne, rows, SE, useImports } from '../testing/debts/imported.ts'

useImports()

describe('where the debtor takes electronic invoices', () => {
  beforeAll(begin)

  const at = (endpoint: string, number: string): string =>
    SE.replace('2026-70012', number).replace(/(<cac:AccountingCustomerParty>\s*<cac:Party>)/, `$1${endpoint}`)
  const kept = async () =>
    (await rows('select electronic_address from debtor where instance_id = $1')).map(
      (row) => row['electronic_address'],
    )

  test('is kept with the debtor, and changes with a later invoice', async () => {
    await importOne(SE.replace('2026-70012', 'E-0'))
    expect(await kept()).toEqual([null])
    const first = at('<cbc:EndpointID schemeID="0007">5599990040</cbc:EndpointID>', 'E-1')
    await importOne(first)
    expect(await kept()).toEqual(['0007:5599990040'])
    await importAll({
      a: at('<cbc:EndpointID schemeID="0088"> 7300010000001 </cbc:EndpointID>', 'E-2'),
      b: SE.replace('2026-70012', 'E-3'),
    })
    expect(await kept()).toEqual(['0088:7300010000001'])
    expect(await importOne(first)).toMatchObject({ outcome: 'unchanged' })
    expect(await kept()).toEqual(['0088:7300010000001'])
  })

  test('is no part of what the invoice says', async () => {
    const other = at('<cbc:EndpointID schemeID="0007">5599990057</cbc:EndpointID>', 'E-1')
    expect(await importOne(other)).toMatchObject({ outcome: 'unchanged' })
  })

  test.each([
    ['an e-mail address', '<cbc:EndpointID schemeID="EM">faktura@example.com</cbc:EndpointID>'],
    ['no scheme', '<cbc:EndpointID>5599990040</cbc:EndpointID>'],
    ['nothing', '<cbc:EndpointID schemeID="0007"></cbc:EndpointID>'],
    ['marks', '<cbc:EndpointID schemeID="0007">5599/../1?x=1</cbc:EndpointID>'],
    ['too much', `<cbc:EndpointID schemeID="0007">${'1'.repeat(51)}</cbc:EndpointID>`],
  ])('%s is no address', async (name, endpoint) => {
    const before = await kept()
    expect(await importOne(at(endpoint, `E-${name}`))).toMatchObject({ outcome: 'created', warnings: [] })
    expect(await kept()).toEqual(before)
  })

  test('two imports at once of many debtors each end', async () => {
    await begin()
    const files = (scheme: string): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [
          `${scheme}-${n}.xml`,
          at(`<cbc:EndpointID schemeID="${scheme}">${n}</cbc:EndpointID>`, `${scheme}-${n}`).replaceAll(
            'Alva Provlund',
            `Alva Provlund ${scheme === '0007' ? n : 29 - n}`,
          ),
        ]),
      )
    const both = await Promise.all([importAll(files('0007')), importAll(files('0088'))])
    for (const results of both) {
      expect(new Set(Object.values(results).map(({ outcome }) => outcome))).toEqual(new Set(['created']))
    }
    expect(await kept()).toHaveLength(30)
  })
})
