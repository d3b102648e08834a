/** What is agreed with a creditor, and its settlements, counted from the books. */
export { AgreementNotEntered, enterAgreement, type WantedAgreement } from './agreements.ts'
export { insertAgreementRow, listAgreements, type ListedAgreement } from './agreements.queries.ts'
export { countAgain, makeDueSettlements, makeSettlements } from './make-settlements.ts'
