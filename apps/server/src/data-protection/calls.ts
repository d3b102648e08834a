/** The calls about personal data as such: what is held about one person, and what is over its time. */
import * as dataRequest from '@kvitt/domain/data-protection/data-request.contract.ts'
import * as legalHold from '@kvitt/domain/data-protection/legal-hold.contract.ts'
import * as contract from '@kvitt/domain/data-protection/personal-data.contract.ts'
import * as personExport from '@kvitt/domain/data-protection/person-export.contract.ts'
import * as retention from '@kvitt/domain/data-protection/retention.contract.ts'
import { AsFile, type Binding } from '../platform/http/call.ts'
import { Replayed } from '../platform/http/replayed.ts'
import { makeTable, stampOf, TABLE_TYPES } from '../platform/tables/tables.ts'
import { languageFrom } from '../platform/texts.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import { formatAccepted } from '../staff/office-export.ts'
import { askedBy } from '../staff/staff.ts'
import { answerRequest, enterRequest, extendRequest, findRequest, listRequests } from './data-request.ts'
import { exportPerson } from './export-person.ts'
import { askForExport, exportAnswer, fetchExport, findExport, listExports } from './exports/person-exports.ts'
import { erasureHead, erasureRows } from './erasure-letter.ts'
import { findDebtor } from './find-debtor.ts'
import { findHold, liftHold, listHolds, setHold } from './legal-hold.ts'
import {
  approveRetention,
  erasePerson,
  findRetention,
  readPersonErasure,
  readRetention,
} from './retention.ts'

const answered = <Answer>({ isReplayed }: { readonly isReplayed: boolean }, answer: Answer) =>
  isReplayed ? new Replayed(answer) : answer

const REQUEST_BINDINGS: readonly Binding[] = [
  bindSharedRow(dataRequest.listDataRequests, findDebtor, async ({ context, principal, row }) => ({
    requests: await listRequests(context, principal, row.id),
  })),
  bindSharedRow(
    dataRequest.enterDataRequest,
    findDebtor,
    async ({ context, principal, row, body, request }) => {
      const asked = askedBy(request, 'enterDataRequest', row.id, body)
      const done = await enterRequest(context, principal, { debtorId: row.id, asked, wanted: body })
      return answered(done, await findRequest(context, principal, done.id))
    },
  ),
  bindSharedRow(dataRequest.getDataRequest, findRequest, async ({ row }) => row),
  bindSharedRow(
    dataRequest.extendDataRequest,
    findRequest,
    async ({ context, principal, row, body, request }) => {
      const asked = askedBy(request, 'extendDataRequest', row.id, body)
      const done = await extendRequest({ context, principal, row, asked }, body)
      return answered(done, await findRequest(context, principal, row.id))
    },
  ),
  bindSharedRow(
    dataRequest.answerDataRequest,
    findRequest,
    async ({ context, principal, row, body, request }) => {
      const asked = askedBy(request, 'answerDataRequest', row.id, body)
      const done = await answerRequest({ context, principal, row, asked }, body)
      return answered(done, await findRequest(context, principal, row.id))
    },
  ),
]

const EXPORT_BINDINGS: readonly Binding[] = [
  bindSharedRow(
    personExport.askPersonExport,
    findDebtor,
    async ({ context, principal, row, body, request }) => {
      const language = languageFrom(request.headers['accept-language'], principal.instance.language)
      const asked = askedBy(request, 'askPersonExport', row.id, { ...body, language })
      const wanted = { ...body, debtorId: row.id, language }
      const done = await askForExport(context, principal, { asked, wanted })
      return answered(done, await findExport(context, principal, { debtorId: row.id, id: done.id }))
    },
  ),
  bindSharedRow(personExport.listPersonExports, findDebtor, async ({ context, principal, row }) => ({
    exports: await listExports(context, principal, row.id),
  })),
  bindSharedRow(personExport.getPersonExportFile, fetchExport, async ({ row }) => exportAnswer(row)),
]

export const DATA_PROTECTION_BINDINGS: readonly Binding[] = [
  ...REQUEST_BINDINGS,
  bindSharedRow(contract.exportPerson, findDebtor, ({ context, principal, body, row }) =>
    exportPerson(context, principal, { debtorId: row.id, reason: body.reason }),
  ),
  ...EXPORT_BINDINGS,
  bind(retention.getRetention, ({ context, principal }) => readRetention(context, principal)),
  bind(retention.findRetention, async ({ context, principal }) => {
    await findRetention(context, [principal.instance])
    return readRetention(context, principal)
  }),
  bind(retention.approveRetention, ({ context, principal, body }) =>
    approveRetention(context, principal, body),
  ),
  bindSharedRow(
    retention.getPersonErasure,
    findDebtor,
    async ({ context, principal, row, request, untilGone }) => {
      const told = await readPersonErasure(context, principal, row.id)
      if (formatAccepted(request.headers.accept, { pdf: TABLE_TYPES.pdf }) === undefined) return told
      const { instance } = principal
      const language = languageFrom(request.headers['accept-language'], instance.language)
      return new AsFile(
        await makeTable(
          erasureHead(instance.row.name, language),
          [erasureRows(told, instance.row.country, language)],
          {
            format: 'pdf',
            requester: `${instance.id} operator`,
            signal: untilGone(),
            stamp: stampOf(context, instance.timeZone),
          },
        ),
      )
    },
  ),
  bindSharedRow(retention.erasePerson, findDebtor, ({ context, principal, row, body }) =>
    erasePerson(context, principal, { debtorId: row.id, reason: body.reason }),
  ),
  bind(legalHold.getLegalHolds, ({ context, principal }) => listHolds(context, principal)),
  bind(legalHold.setLegalHold, async ({ context, principal, body, request }) => {
    const asked = askedBy(request, 'setLegalHold', null, body)
    const { isReplayed } = await setHold(context, principal, { asked, wanted: body })
    const answer = await listHolds(context, principal)
    return isReplayed ? new Replayed(answer) : answer
  }),
  bindSharedRow(legalHold.liftLegalHold, findHold, async ({ context, principal, row, body }) => {
    await liftHold(context, principal, { hold: row, reason: body.reason })
    return listHolds(context, principal)
  }),
]
