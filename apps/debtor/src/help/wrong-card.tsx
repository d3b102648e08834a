import { Button } from '@kvitt/ui/components/button.tsx'
import { t } from '../text.ts'
import css from './wrong-card.module.css'

/** Close to the payment: the way out for whoever has paid already or thinks that the invoice is wrong. */
export function WrongCard({
  onDispute,
  onContact,
}: {
  /** Left out when the invoice cannot be disputed. */
  onDispute: (() => void) | undefined
  onContact: () => void
}) {
  return (
    <section className={css.card} aria-labelledby="wrong-heading">
      <h2 id="wrong-heading" className={css.heading}>
        {t('wrong.title')}
      </h2>
      <p className={css.text}>{t('wrong.text')}</p>
      <p className={css.actions}>
        {onDispute && (
          <Button look="text" onClick={onDispute}>
            {t('dispute.title')}
          </Button>
        )}
        <Button look="text" onClick={onContact}>
          {t('help.contact_us')}
        </Button>
      </p>
    </section>
  )
}
