import { CURRENCIES } from '../bank/transfers.ts'
import { renderIcon } from './icons.ts'

/**
 * A bill is paid by hand, with what is printed on it. It stands outside the regions that are drawn anew, so that what
 * somebody types stays.
 */
export function renderByHand(): string {
  const field = (name: string, label: string, attributes: string) =>
    `<label>${label}<input name="${name}" autocomplete="off" ${attributes}></label>`
  const currencies = CURRENCIES.map((one) => `<option>${one}</option>`).join('')
  return `<details><summary><h2>${renderIcon('bank')}Pay by hand</h2>
<span class="quiet">to any account, with any reference</span></summary>
<form id="by-hand" data-path="/control/transfers">
${field('account', 'To account', 'required maxlength="42" placeholder="Bankgiro, plusgiro, IBAN" spellcheck="false"')}
${field('reference', 'Reference or message', 'maxlength="70" spellcheck="false"')}
${field('amount', 'Amount', 'required maxlength="20" inputmode="decimal" placeholder="842,00"')}
<label>Currency<select name="currency">${currencies}</select></label>
${field('payer', 'From', 'maxlength="35" placeholder="Somebody"')}
<button type="submit">Pay</button>
</form><p id="by-hand-said" class="quiet" role="status"></p></details>`
}
