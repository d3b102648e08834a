/** A drawn letter with the two places where the answers stand. */
import { type Child, el } from '@kvitt/site/element.ts'
import type { Words } from '@kvitt/site/words.ts'

const line = (y: string, width: string): Child =>
  el('rect', { x: '24', y, width, height: '7', rx: '3.5', class: 'quiet' })

export function letter(t: Words): Child {
  const place = (x: string, y: string, text: string): Child => [
    el('rect', { x, y, width: '150', height: '30', rx: '6', class: 'place' }),
    el('text', { x: String(Number(x) + 12), y: String(Number(y) + 20) }, text),
  ]
  return el(
    'figure.letter',
    {},
    el(
      'svg',
      { viewBox: '0 0 360 220', role: 'img', 'aria-label': t('letter.alt') },
      el('rect', { x: '1', y: '1', width: '358', height: '218', rx: '8', class: 'paper' }),
      line('28', '90'),
      line('46', '110'),
      line('64', '70'),
      el('text', { x: '200', y: '34', class: 'quiet-text' }, 'Anna Nord'),
      place('188', '44', t('letter.place')),
      line('100', '300'),
      line('118', '270'),
      el('path', { d: 'M1 150h358', class: 'fold' }),
      place('24', '170', '1234 5678 9012'),
      el('rect', { x: '250', y: '180', width: '86', height: '9', rx: '4', class: 'quiet' }),
    ),
    el('figcaption', {}, t('letter.caption')),
  )
}
