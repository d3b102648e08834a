import { Button } from '@kvitt/ui/components/button.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useEffect, useState, type RefObject } from 'react'
import { t } from '../text.ts'
import type { Debt } from '../debts/debt.ts'
import css from './pay-bar.module.css'

type PayBarProps = {
  debt: Debt
  payButton: RefObject<HTMLElement | null>
  methods: RefObject<HTMLElement | null>
  onPay: () => void
}

/** From the top of the ways to pay to the button of the first: with so much in the window it begins to be seen. */
const TO_BUTTON_PX = 304

/**
 * On narrow screens: the amount and the way to it, while neither the pay button nor the methods can be seen. One filled
 * button at a time: the one that leads to the methods gives way to theirs (invoice-hero.module.css).
 */
export function PayBar({ debt, payButton, methods, onPay }: PayBarProps) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const button = payButton.current
    const ways = methods.current
    if (!button || !ways) return
    const seen = new Set<Element>()
    const either = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) seen[isIntersecting ? 'add' : 'delete'](target)
      setShown(seen.size === 0)
    })
    const yielding = new IntersectionObserver(
      ([now]) => button.toggleAttribute('data-yields', now?.isIntersecting),
      { rootMargin: `0px 0px -${TO_BUTTON_PX}px` },
    )
    either.observe(button)
    either.observe(ways)
    yielding.observe(ways)
    return () => {
      either.disconnect()
      yielding.disconnect()
    }
  }, [payButton, methods])
  return (
    <section className={css.bar} hidden={!isShown} aria-label={t('payment.pay')}>
      <p>
        <span className={css.label}>{t('invoice.total_due')}</span>
        <span className={css.amount}>{formatMoney(debt.balanceMinor, debt.currency, currentLanguage())}</span>
      </p>
      <Button onClick={onPay}>{t('payment.pay')}</Button>
    </section>
  )
}
