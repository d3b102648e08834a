import { t } from '../text.ts'
import css from './letter.module.css'

/** A little drawing of the letter with the two places where the answers stand. */
export default function Letter() {
  return (
    <figure className={css.figure}>
      <div className={css.paper} aria-hidden="true">
        <div className={css.part}>
          <div className={css.lines}>
            <i />
            <i />
            <i />
          </div>
          <div className={css.mark}>
            <small>Anna Nord</small>
            <b>{t('letter.place')}</b>
          </div>
        </div>
        <div className={css.part}>
          <div className={css.mark}>
            <small>{t('letter.reference')}</small>
            <b>1234 5678 9012</b>
          </div>
          <div className={css.lines}>
            <i />
            <i />
          </div>
        </div>
      </div>
      <figcaption>{t('letter.caption')}</figcaption>
    </figure>
  )
}
