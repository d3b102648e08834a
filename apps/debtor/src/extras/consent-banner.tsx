import { Button } from '@kvitt/ui/components/button.tsx'
import { useEffect, useRef, useState } from 'react'
import { ASK_AGAIN, type Choice } from '../shell/consent.ts'
import { keepConsent, readConsent, type Consent } from './kept-consent.ts'
import { t, type MessageId } from '../text.ts'
import css from './consent-banner.module.css'

const WORDS: Readonly<Record<Choice, MessageId>> = {
  visits: 'consent.visits',
  chat: 'consent.chat',
  recording: 'consent.recording',
}

type BannerProps = { provider: string; choices: readonly Choice[]; onSaid: (said: Consent) => void }

/** Asks once, at the foot of the window; both answers are as easy, and nothing is used before one is given. */
export function ConsentBanner({ provider, choices, onSaid }: BannerProps) {
  const [isOpen, setOpen] = useState(() => readConsent(choices) === undefined)
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const askAgain = () => {
      setOpen(true)
      requestAnimationFrame(() => box.current?.focus())
    }
    addEventListener(ASK_AGAIN, askAgain)
    return () => removeEventListener(ASK_AGAIN, askAgain)
  }, [])
  useEffect(() => {
    // Keeps a focused field clear of the banner (WCAG 2.4.11).
    const height = isOpen ? `${(box.current?.offsetHeight ?? 0) + 24}px` : ''
    document.documentElement.style.scrollPaddingBottom = height
    document.body.style.paddingBottom = height
  }, [isOpen])
  if (!isOpen) return null
  const answer = (said: Consent) => {
    keepConsent(said, choices)
    setOpen(false)
    onSaid(said)
  }
  return (
    <section ref={box} className={css.banner} aria-labelledby="consent-heading" tabIndex={-1}>
      <div className={css.row}>
        <div className={css.text}>
          <h2 id="consent-heading">{t('consent.title')}</h2>
          <ul>
            {choices.map((choice) => (
              <li key={choice}>{t(WORDS[choice], { provider })}</li>
            ))}
          </ul>
          <p>{t('consent.free')}</p>
        </div>
        <div className={css.actions}>
          <Button look="secondary" onClick={() => answer('refused')}>
            {t('consent.refuse')}
          </Button>
          <Button look="secondary" onClick={() => answer('given')}>
            {t('consent.allow')}
          </Button>
        </div>
      </div>
    </section>
  )
}
