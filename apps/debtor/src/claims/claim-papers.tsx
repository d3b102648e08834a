import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { Disclosure } from '@kvitt/ui/components/disclosure.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { storedFile } from '@kvitt/ui/api.ts'
import { useState } from 'react'
import { api, queries } from '../calls.ts'
import { claimQuery } from '../debts/part-calls.ts'
import type { DebtKey } from '../session.ts'
import { MissingDocument } from '../debts/missing-document.tsx'
import { saveFile } from '@kvitt/ui/save-file.ts'
import look from '../shell/text-action.module.css'
import { t } from '../text.ts'

/** Asked for again before it is fetched: the name opens the file for a short time only. */
async function save(key: DebtKey): Promise<void> {
  const { document } = await queries.fetchQuery({ ...claimQuery(key), staleTime: 60_000 })
  if (!document.collection) throw new Error('the claim has no document')
  const { fileName, fileNameRaw } = document.collection
  const file = await api.fetchFile(storedFile(fileName))
  saveFile(file, fileNameRaw)
}

type CopyProps = { claimKey: DebtKey; claim: ClaimAnswer }

/** Fetches the newest demand; says in place when it is not there (specification section 8). */
function useCopy(claimKey: DebtKey) {
  const [failure, setFailure] = useState<unknown>()
  const download = () => {
    setFailure(undefined)
    save(claimKey).catch(setFailure)
  }
  return { download, missing: <MissingDocument failure={failure} text="claim.document_missing" /> }
}

/** On wide screens: one button. */
export function ClaimCopyAction({ claimKey, claim }: CopyProps) {
  const { download, missing } = useCopy(claimKey)
  if (!claim.document.collection) return null
  return (
    <>
      <button type="button" className={look.action} onClick={download}>
        <Icon name="download" size={20} />
        {t('claim.download')}
      </button>
      {missing}
    </>
  )
}

/** On narrow screens: an expander. */
export function ClaimCopyRow({ claimKey, claim }: CopyProps) {
  const { download, missing } = useCopy(claimKey)
  if (!claim.document.collection) return null
  return (
    <Disclosure icon="document" title={t('invoice.documents')}>
      <button type="button" className={look.row} onClick={download}>
        <Icon name="download" size={20} />
        <span>{t('claim.download')}</span>
      </button>
      {missing}
    </Disclosure>
  )
}

/** Opens the invoices that the claim is made of. */
export function DetailsAction({ onOpen }: { onOpen: () => void }) {
  return (
    <button type="button" className={look.action} onClick={onOpen}>
      <Icon name="receipt" size={20} />
      {t('claim.more_details')}
    </button>
  )
}
