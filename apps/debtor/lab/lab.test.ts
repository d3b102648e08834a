import { CHECK_ANSWERS } from '@kvitt/site/message-check.ts'
import { expect, test } from 'vitest'
import { SITE_PARTS } from './sites/site-parts.tsx'

const shared = import.meta.glob('../../../packages/ui/src/{components,feedback,form,shell,values}/*.tsx')
const own = import.meta.glob('../src/**/*.tsx')
const sites = import.meta.glob('../../{home,support}/src/*-page{,s}.ts')
const sources = import.meta.glob<string>('./**/*.tsx', { eager: true, query: '?raw', import: 'default' })
const portal = import.meta.glob<string>('../src/**/*.{ts,tsx}', {
  eager: true,
  query: '?raw',
  import: 'default',
})
const text = Object.values(sources).join('\n')

const missing = (names: readonly string[]): string[] => names.filter((name) => !text.includes(`'${name}'`))

/** Pages combine parts, and are what the journeys look at; of them the lab has those that are a message. */
const isPage = (file: string): boolean => file.endsWith('-page.tsx')

/** What a portal is made of, and cannot be looked at. */
const WITHOUT_LOOKS = [
  // Begins the program, and chooses the page.
  '../src/main.tsx',
  '../src/app.tsx',
  // Lets somebody in, or shows the page that it is given.
  '../src/sign-in/invoice-door.tsx',
  '../src/shell/error-boundary.tsx',
  // Fetches the BrowserBanner, which is in the lab.
  '../src/sign-in/browser-advice.tsx',
  // Begins what a provider has besides; of it the ConsentBanner is in the lab.
  '../src/extras/extras.tsx',
]

test('every part of the ui package is in the lab', () => {
  const names = Object.keys(shared).map((file) => file.replace(/^.*\/src\//, '@kvitt/ui/'))
  expect(names.length).toBeGreaterThan(15)
  expect(missing(names)).toEqual([])
})

test('every part of the portal is in the lab, or has no looks', () => {
  const names = Object.keys(own).filter((file) => !isPage(file))
  expect(names.length).toBeGreaterThan(55)
  expect(missing(names).toSorted()).toEqual(WITHOUT_LOOKS.toSorted())
})

test('every page of the public sites is in the lab, and every answer of the message check', () => {
  const names = Object.keys(sites).map((file) => file.replace(/^\.\.\/\.\.\//, '../../../'))
  expect(names.length).toBeGreaterThan(3)
  expect(missing(names)).toEqual([])
  const states = SITE_PARTS.flatMap((part) => Object.keys(part.states))
  for (const answer of CHECK_ANSWERS) expect(states).toContain(`message check: ${answer}`)
})

test('nothing of the portal imports the lab, so that no build has it', () => {
  const importers = Object.entries(portal).filter(([, source]) => /['"][^'"]*\/lab\//.test(source))
  expect(importers.map(([file]) => file)).toEqual([])
})
