import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { useState } from 'react'
import { latePage, useAhead } from '../late-page.tsx'
import type { InvoiceKey } from '../session.ts'
import { t } from '../text.ts'
import { withMoreWords } from '../words.ts'
import css from './calculation.module.css'

const SumList = latePage(() => withMoreWords(import('./sum-list.tsx')))
const AHEAD = [SumList]

type CalculationProps = { invoiceKey: InvoiceKey; invoice: InvoiceAnswer }

/** On wide screens: a text action in the hero. */
export function CalculationAction(props: CalculationProps) {
  const [wasOpened, setOpened] = useState(false)
  useAhead(AHEAD)
  return (
    <div className={css.action}>
      <Disclosure look="text" title={t('calculation.title')} onOpen={() => setOpened(true)}>
        <div className={css.panel}>{wasOpened && <SumList {...props} />}</div>
      </Disclosure>
    </div>
  )
}

/** On narrow screens: a row of the grouped card. */
export function CalculationRow(props: CalculationProps) {
  const [wasOpened, setOpened] = useState(false)
  return (
    <Disclosure icon="receipt" title={t('calculation.title')} onOpen={() => setOpened(true)}>
      {wasOpened && <SumList {...props} />}
    </Disclosure>
  )
}
