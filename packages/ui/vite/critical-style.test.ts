import { expect, test } from 'vitest'
import { criticalStyle } from './critical-style.ts'

const HTML = '<main class="page _main_1"><p class="_lead_1">a</p></main>'

test.each([
  ['h1{margin:0}', 'h1{margin:0}'],
  ['.page{margin:0}._other_1{color:red}', '.page{margin:0}'],
  ['._other_1,._lead_1{color:red}', '._other_1,._lead_1{color:red}'],
  ['._main_1 ._other_1{color:red}', ''],
  ['.pag{color:red}._lead_12{color:red}._lead{color:red}', ''],
  [
    '@layer tokens,base;@layer base{._other_1{a:b}a:focus{c:d}a:hover{c:d}}',
    '@layer tokens,base;@layer base{a:focus{c:d}}',
  ],
  ['@media (min-width:961px){._other_1{a:b}}', ''],
  ['@media screen{@supports (a:b){._lead_1{a:b}}}', '@media screen{@supports (a:b){._lead_1{a:b}}}'],
  ['@media print{._lead_1{a:b}}', ''],
  ['@keyframes turn{to{rotate:1turn}}.page:after{content:"}{"}', '.page:after{content:"}{"}'],
])('of %s stays %s', (css, kept) => {
  expect(criticalStyle(css, HTML)).toBe(kept)
})
