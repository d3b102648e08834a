import { Button } from '@kvitt/ui/components/button.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useEffect, useState, type RefObject } from 'react'
import { t } from '../text.ts'
import type { Debt } from '../shell/debt.ts'
import css from './pay-bar.module.css'

type PayBarProps = {
  debt: Debt
  payButton: RefObject<HTMLElement | null>
  methods: RefObject<HTMLElement | null>
  onPay: () => void
}

/** From the top of the ways to pay to the button of the first: with so much in the window it begins to be seen. */
const TO_BUTTON_PX = 304

/** One filled button at a time: the one that leads to the ways to pay gives way to theirs (invoice-hero.module.css). */
function useYielding({ payButton, methods }: Pick<PayBarProps, 'payButton' | 'methods'>): void {
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([methodsNow]) => payButton.current?.toggleAttribute('data-yields', methodsNow?.isIntersecting),
      { rootMargin: `0px 0px -${TO_BUTTON_PX}px` },
    )
    if (methods.current) observer.observe(methods.current)
    return () => observer.disconnect()
  }, [payButton, methods])
}

/** On narrow screens: the amount and the way to it, while neither the pay button nor the methods can be seen. */
export function PayBar({ debt, payButton, methods, onPay }: PayBarProps) {
  const [isShown, setShown] = useState(false)
  useYielding({ payButton, methods })
  useEffect(() => {
    const visible = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target)
        else visible.delete(target)
      }
      setShown(visible.size === 0)
    })
    for (const element of [payButton.current, methods.current]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [payButton, methods])
  if (!isShown) return null
  return (
    <section className={css.bar} aria-label={t('payment.pay')}>
      <p>
        <span className={css.label}>{t('invoice.total_due')}</span>
        <span className={css.amount}>{formatMoney(debt.balanceMinor, debt.currency, currentLanguage())}</span>
      </p>
      <Button onClick={onPay}>{t('payment.pay')}</Button>
    </section>
  )
}
