import { expect, test } from 'vitest'
import { loginsOf } from './logins.ts'

const of = (databaseUrl: string, databaseOwnerUrl?: string) => {
  const { owner, program } = loginsOf({ databaseUrl, databaseOwnerUrl })
  return [owner?.connectionString, program.connectionString]
}

test('with an owner of its own, each works as it is given', () => {
  expect(of('postgres://kvitt_app:a@db/kvitt', 'postgres://kvitt:b@db/kvitt')).toEqual([
    'postgres://kvitt:b@db/kvitt',
    'postgres://kvitt_app:a@db/kvitt',
  ])
})

test('the program’s login alone cannot migrate', () => {
  expect(of('postgres://kvitt_app@db/kvitt')).toEqual([undefined, 'postgres://kvitt_app@db/kvitt'])
})

test.each([
  ['postgres://kvitt@db:5432/kvitt', 'postgres://kvitt_app@db:5432/kvitt'],
  [
    'postgresql://kvitt:s%40e@db/kvitt?sslmode=require',
    'postgresql://kvitt_app:s%40e@db/kvitt?sslmode=require',
  ],
  ['postgres://db/kvitt', 'postgres://kvitt_app@db/kvitt'],
  ['postgres://postgres@localhost:5432/x?host=%2Ftmp', 'postgres://kvitt_app@localhost:5432/x?host=%2Ftmp'],
])('the owner’s login %s migrates, and the program works as kvitt_app', (owner, program) => {
  expect(of(owner)).toEqual([owner, program])
})
