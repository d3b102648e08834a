import type { EidOrder } from '../eid/eid.ts'
import { PEOPLE } from '../eid/people.ts'
import { escapeHtml, timeText } from '../html.ts'
import { renderButton } from './buttons.ts'
import type { Waiting } from './phone-part.ts'

/** An identification that waits: one button for everybody who may be holding the phone. */
export function waitingAtEid(order: EidOrder): Waiting {
  const at = `/control/orders/${order.orderRef}`
  const people = PEOPLE.map(({ personalNumber, name }) =>
    renderButton({
      key: `identify-${personalNumber}-${order.orderRef}`,
      text: name,
      label: 'identify',
      calls: [['POST', `${at}/approve`, { personalNumber }]],
      kind: 'person',
    }),
  )
  const decline = renderButton({
    key: `decline-${order.orderRef}`,
    text: 'Decline',
    calls: [['POST', `${at}/decline`, {}]],
    shortcut: 'd',
  })
  const slow = renderButton({
    key: `slow-${order.orderRef}`,
    text: 'Be slow',
    calls: [['POST', `${at}/show`, { hintCode: 'userSign' }]],
    shortcut: 's',
    hint: 'The app is open and asks for the code, which nobody enters yet',
  })
  return {
    id: order.orderRef,
    createdAtMs: order.createdAtMs,
    app: 'BankID',
    line: escapeHtml(order.intent || 'Identify'),
    card: `<p class="quiet">My intent</p><h2>${escapeHtml(order.intent || 'Identify')}</h2>
<p class="quiet">Waits until ${timeText(order.expiresAtMs, true)}. Who holds the phone?</p>
<div class="people">${people.join('')}</div><div class="pair">${decline}${slow}</div>`,
  }
}
