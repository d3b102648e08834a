import { TextField } from '@kvitt/ui/form/text-field.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './factor.module.css'

// Only whoever sets one up needs it.
const QrCode = lazy(() => import('@kvitt/ui/values/qr-code.tsx'))
const QR_SIZE = 184

const inFours = (text: string): string => text.replaceAll(/.{4}(?!$)/g, '$& ')

type SetUpProps = {
  secret: string
  uri: string
  isBusy: boolean
  /** What the server says of the code that was sent. */
  fault: string | undefined
  onCode: (code: string) => void
}

/** An app is given the secret, by camera or by hand, and proves that it has it. */
export function FactorSetUp({ secret, uri, isBusy, fault, onCode }: SetUpProps) {
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = new FormData(event.currentTarget).get('code')
    const typed = typeof code === 'string' ? code.trim() : ''
    setMissing(typed === '')
    if (typed !== '' && !isBusy) onCode(typed)
  }
  return (
    <ol className={css.steps}>
      <li>
        <div className={css.step}>
          <p>{t('factor.step_app')}</p>
        </div>
      </li>
      <li>
        <div className={css.step}>
          <p>{t('factor.step_scan')}</p>
          <div className={css.picture}>
            <Suspense fallback={<Skeleton width={11.5} height={11.5} />}>
              <QrCode text={uri} size={QR_SIZE} label={t('factor.qr')} />
            </Suspense>
          </div>
          <details className={css['by-hand']}>
            <summary>{t('factor.by_hand')}</summary>
            <code className={css.secret}>{inFours(secret)}</code>
          </details>
        </div>
      </li>
      <li>
        <div className={css.step}>
          <form className={css.confirm} noValidate onSubmit={submit}>
            <TextField
              label={t('factor.code')}
              hint={t('factor.code_hint')}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={9}
              error={isMissing ? t('field.mandatoryValidError') : fault}
            />
            <OfficeButton type="submit" look="primary" size="large" isBusy={isBusy} cap="↵">
              {t('factor.confirm')}
            </OfficeButton>
          </form>
        </div>
      </li>
    </ol>
  )
}
