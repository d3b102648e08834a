/** The calls about client funds: the proof of a day, and what each of its terms is made of. */
import { Amount } from '@kvitt/domain/money.ts'
import { sideOf } from '@kvitt/domain/client-funds/proof.ts'
import * as contract from '@kvitt/domain/client-funds/client-funds.contract.ts'
import { noteAccess } from '../audit/audit.ts'
import { AsFile, type Binding } from '../platform/http/call.ts'
import { sumUpReceivables } from '../receivables/receivables.ts'
import { bind } from '../sign-in/bind.ts'
import { formatAccepted } from '../staff/office-export.ts'
import { actorOf } from '../staff/staff.ts'
import { listItems, proveClientFunds, type ProvenDay } from './client-funds.ts'
import { drawFunds, PDF } from './funds-document.ts'

const amountOf = (minor: number | null): Amount | null => (minor === null ? null : new Amount(minor))

function present({ day, latest, proofs, accounts, belowZero }: ProvenDay) {
  return {
    day,
    latest,
    proofs: proofs.map(({ currency, proof, waitingLines }) => {
      const { differenceMinor, changes, terms, accounts: proven, ...rest } = proof
      return {
        ...rest,
        currency,
        waitingLines,
        difference: amountOf(differenceMinor),
        changes: changes.map(({ day: on, minor }) => ({ day: on, amount: new Amount(minor) })),
        terms: terms.map(({ term, minor }) => ({ term, side: sideOf(term), amount: amountOf(minor) })),
        accounts: proven.flatMap(({ id, minor, differenceMinor: difference, ...account }) => {
          const of = accounts.get(id)
          if (!of) return []
          const { scheme, number, creditorId, creditor } = of
          return [
            {
              ...account,
              id,
              scheme,
              number,
              creditor: creditorId === null ? null : { id: creditorId, name: creditor ?? '' },
              balance: amountOf(minor),
              difference: amountOf(difference),
            },
          ]
        }),
      }
    }),
    belowZero: belowZero.map(({ creditorId, creditor, currency, minor }) => ({
      creditor: { id: creditorId, name: creditor },
      currency,
      amount: new Amount(minor),
    })),
  }
}

export const CLIENT_FUNDS_BINDINGS: readonly Binding[] = [
  bind(contract.getClientFunds, async ({ context, principal, query, request }) => {
    const proven = await proveClientFunds(context, principal, query.day)
    if (formatAccepted(request.headers.accept, { pdf: PDF }) === undefined) return present(proven)
    const wanted = query.document ?? 'proof'
    await noteAccess(context, {
      instanceId: principal.instance.id,
      kind: 'staff_exported',
      actor: actorOf(principal),
      about: 'client-funds',
      details: { file: PDF, document: wanted, day: proven.day },
    })
    const of = { instanceId: principal.instance.id, creditorId: null, day: proven.day }
    const owed = wanted === 'confirmation' ? await sumUpReceivables(context.db, of) : []
    return new AsFile(await drawFunds({ context, principal, request }, proven, { wanted, owed }))
  }),
  bind(contract.getClientFundsItems, async ({ context, principal, query }) => {
    const { items, restMinor } = await listItems(context, principal, query)
    // The terms name debtors and payers.
    await noteAccess(context, {
      instanceId: principal.instance.id,
      kind: 'staff_listed',
      actor: actorOf(principal),
      about: 'client-funds',
      details: { found: items.length, filters: query },
    })
    return {
      items: items.map(({ minor, ...item }) => ({ ...item, amount: new Amount(minor) })),
      rest: new Amount(restMinor),
    }
  }),
]
