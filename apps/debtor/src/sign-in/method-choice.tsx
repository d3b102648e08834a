import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { t, type MessageId } from '../text.ts'
import css from './method-choice.module.css'

export type Way = 'eid' | 'reference' | 'company'

const WAYS: Readonly<Record<Way, { icon: IconName; title: MessageId; text: MessageId }>> = {
  eid: { icon: 'id-card', title: 'login.eid', text: 'choice.eid_text' },
  reference: { icon: 'hash', title: 'login.payment_reference', text: 'choice.reference_text' },
  company: { icon: 'building', title: 'login.as_company', text: 'choice.company_text' },
}

/** How to log in: the first way is the one that shows most. */
export function MethodChoice({ ways, onChoose }: { ways: readonly Way[]; onChoose: (way: Way) => void }) {
  return (
    <section className={css.choice} aria-labelledby="choice-heading">
      <h2 id="choice-heading">{t('login.choose_method')}</h2>
      {ways.map((way, index) => {
        const { icon, title, text } = WAYS[way]
        return (
          <button
            key={way}
            type="button"
            className={css.way}
            data-first={index === 0 || undefined}
            onClick={() => onChoose(way)}
          >
            <Icon name={icon} />
            <span>
              <span className={css.title}>{t(title)}</span>
              <span className={css.text}>{t(text)}</span>
            </span>
            <Icon name="chevron-right" size={20} />
          </button>
        )
      })}
    </section>
  )
}
