import type { DocumentAnswer, InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { storedFile } from '@kvitt/ui/api.ts'
import { api, invoiceQuery, queries } from '../calls.ts'
import { documentsQuery } from '../debts/part-calls.ts'
import type { InvoiceKey } from '../session.ts'
import { saveFile } from '@kvitt/ui/save-file.ts'

export type Copy = { readonly fileName: string; readonly title: string; readonly saveAs: string }
type CopiesOf = (invoice: InvoiceAnswer, documents: readonly DocumentAnswer[]) => Copy[]

async function save({ fileName, saveAs }: Copy): Promise<void> {
  const file = await api.fetchFile(storedFile(fileName))
  saveFile(file, saveAs)
}

/** Saves the copy, under a new name where its own does not open it any more: the names open a file for a short time only. */
export async function saveCopy(key: InvoiceKey, copy: Copy, copiesOf: CopiesOf): Promise<void> {
  await save(copy).catch(async (error: unknown) => {
    const [invoice, documents] = await Promise.all([
      queries.fetchQuery({ ...invoiceQuery(key), staleTime: 0 }),
      queries.fetchQuery({ ...documentsQuery(key), staleTime: 0 }),
    ])
    const renewed = copiesOf(invoice, documents).find((c) => c.title === copy.title)
    if (!renewed) throw error
    await save(renewed)
  })
}
