import { expect, test } from 'vitest'
import { el, htmlOf } from './element.ts'
import { region, withRegion } from './marks.ts'

test('what somebody typed is never a part of the page', () => {
  const typed = `"><script>alert('1')</script>&amp;`
  expect(htmlOf(el('p.a.b', { title: typed }, typed))).toBe(
    `<p class="a b" title="&quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert('1')&lt;/script&gt;&amp;amp;</p>`,
  )
})

test('what is not there leaves nothing, and elements without an end have none', () => {
  expect(htmlOf(el('div', { hidden: true, id: undefined }, false, undefined, [el('br'), 'x']))).toBe(
    '<div hidden><br>x</div>',
  )
  expect(htmlOf(el('svg', {}, el('rect', { x: '1' }), el('path', { d: 'M0 0' })))).toBe(
    '<svg><rect x="1"/><path d="M0 0"/></svg>',
  )
})

test('a part of a page is written anew, the rest stays', () => {
  const html = htmlOf(['before', region('check', 'old'), 'after'])
  expect(withRegion(html, 'check', el('b', {}, 'new'))).toMatch(/^before.*<b>new<\/b>.*after$/)
  expect(withRegion(html, 'check', 'x')).not.toContain('old')
  expect(withRegion(html, 'waiting', 'x')).toBe(html)
})
