import { Button } from '@kvitt/ui/components/button.tsx'
import { storageUrl, useInstance } from '../instance.ts'
import { t } from '../text.ts'

/** In the place of a program that could not be fetched. The script in the head shows it and answers the button (head.ts). */
export function LostPage() {
  const instance = useInstance()
  const logo = instance?.fileInformation.debtorPortalLogotypeFileName
  return (
    <>
      <header className="bar">
        <div className="page bar-row">
          <span className="brand">
            {logo && <img src={storageUrl(logo)} alt="" width={30} height={30} />}
            <span>{instance?.shortName}</span>
          </span>
        </div>
      </header>
      <main className="page" tabIndex={-1}>
        <h1>{t('load_failed.title')}</h1>
        <p role="alert">{t('load_failed.safe')}</p>
        <Button>{t('login.retry')}</Button>
      </main>
    </>
  )
}
