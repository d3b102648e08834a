import { expect, test } from 'vitest'
import { creditorIdentity, debtorIdentity } from './party-identity.ts'

const ANNA = {
  name: 'Anna Andersson',
  country: 'SE',
  identificationNumber: null,
  address: 'Storgatan 4',
  address2: null,
  zip: '11122',
}
const PRINTED = { creditor: 'SE:5599990024', customerNumber: null, document: 'A-1' }

type Change = { party?: object; printed?: object }
const identity = ({ party, printed }: Change): string =>
  debtorIdentity({ ...ANNA, ...party }, { ...PRINTED, ...printed })

test.each<[string, Change, Change]>([
  ['spelled otherwise', {}, { party: { name: 'ANNA  andersson ', address: 'storgatan  4' } }],
  ['on another document', {}, { printed: { document: 'A-2' } }],
  [
    'of one customer number who moved',
    { printed: { customerNumber: '77' } },
    { printed: { customerNumber: '77' }, party: { address: 'Lillgatan 1', zip: '22233' } },
  ],
  [
    'with an identification number, whatever else is printed',
    { party: { identificationNumber: '559999-0040' } },
    {
      party: { identificationNumber: '5599990040', name: 'Annat', address: null, zip: '22233' },
      printed: { creditor: 'SE:5599990032', customerNumber: '77' },
    },
  ],
])('one debtor: %s', (_, one, other) => {
  expect(identity(one)).toBe(identity(other))
})

test.each<[string, Change, Change]>([
  ['name', {}, { party: { name: 'Anna Anderson' } }],
  ['street', {}, { party: { address: 'Storgatan 5' } }],
  ['flat', {}, { party: { address2: 'lgh 1203' } }],
  ['zip', {}, { party: { zip: '11123' } }],
  ['country', {}, { party: { country: 'NO' } }],
  ['creditor', {}, { printed: { creditor: 'SE:5599990032' } }],
  ['customer number', { printed: { customerNumber: '77' } }, { printed: { customerNumber: '78' } }],
  ['number that is not printed', { printed: { customerNumber: '77' } }, {}],
  [
    'creditor of one customer number',
    { printed: { customerNumber: '77' } },
    { printed: { customerNumber: '77', creditor: 'SE:5599990032' } },
  ],
  [
    'name under one customer number',
    { printed: { customerNumber: '77' } },
    { printed: { customerNumber: '77' }, party: { name: 'Bo Andersson' } },
  ],
  [
    'document, without a street',
    { party: { address: null } },
    { party: { address: null }, printed: { document: 'A-2' } },
  ],
  [
    'document, with a street that is none',
    { party: { address: '-' } },
    { party: { address: '-' }, printed: { document: 'A-2' } },
  ],
])('two debtors: another %s', (_, one, other) => {
  expect(identity(one)).not.toBe(identity(other))
})

test.each(['-', '0000000000', 'saknas'])('%s is no number of anybody', (none) => {
  expect(identity({ party: { identificationNumber: none } })).toBe(identity({}))
  expect(identity({ printed: { customerNumber: none } })).toBe(identity({}))
  expect(creditorIdentity({ name: 'Ett AB', country: 'SE', identificationNumber: none })).toBe(
    'SE:name:ett ab',
  )
})
