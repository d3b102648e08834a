import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import card from '../debts/side-card.module.css'
import { t, type MessageId } from '../text.ts'
import css from './wrong-card.module.css'

/** Close to the payment: the way out for whoever has paid already or thinks that what is asked for is wrong. */
export function WrongCard({
  disputes = 'dispute.title',
  failure,
  onDispute,
  onContact,
}: {
  disputes?: MessageId
  /** Why the last dispute was not made. */
  failure: string | undefined
  /** Left out when it cannot be disputed. */
  onDispute: (() => void) | undefined
  onContact: () => void
}) {
  return (
    <section className={`${card.card} ${css.card}`} aria-labelledby="wrong-heading">
      <h2 id="wrong-heading" className={card.heading}>
        {t('wrong.title')}
      </h2>
      <p className={css.text}>{t('wrong.text')}</p>
      {failure && onDispute && (
        <div className={css.failure}>
          <MessageBox tone="bad">
            <p>{failure}</p>
          </MessageBox>
        </div>
      )}
      <p className={css.actions}>
        {onDispute && (
          <Button look="text" onClick={onDispute}>
            {t(disputes)}
          </Button>
        )}
        <Button look="text" onClick={onContact}>
          {t('help.contact_us')}
        </Button>
      </p>
    </section>
  )
}
