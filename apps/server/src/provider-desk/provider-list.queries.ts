/** The SQL of the providers that an operator's staff finds: its own instance, $1, and no other. */
import { asWritten, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList } from '../staff/office-list.ts'

export const searchProviderRows = openOfficeList({
  name: 'instances.office',
  from: (whose) => `instance i where i.id = $1 and ${whose('i.id')}`,
  json: sqlJson({
    id: word('i.id'),
    version: asWritten('i.xmin::text'),
    name: 'i.name',
    urlAlias: 'i.url_alias',
    urlDomain: 'i.url_domain',
    countryCode: word('i.country'),
    mode: word('i.mode'),
  }),
  targets: { name: 'i.name', identificationNumber: 'i.identification_number' },
  filters: { id: { kind: 'id', sql: 'i.id::text' } },
  orders: { id: 'i.id', name: 'i.name' },
  tie: 'i.id',
})
