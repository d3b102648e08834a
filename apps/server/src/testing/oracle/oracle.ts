/**
 * What each debtor owes, from the bare facts and the law: a second opinion on the books. Money counts on the day on which it
 * was on the account, whenever it was heard of; decisions count when they are made.
 */
import { Debt, type Settled } from './debt.ts'
import type { Day, DocumentFact, Fact, Favour, Verdict } from './facts.ts'
import { addDays } from './law.ts'

/** Days from the answer to an objection to the new last day to pay. */
const DAYS_AFTER_ANSWER = 14

type Paid = { readonly debt: string; readonly off: Settled; readonly heard: number }

/** Facts in the order of their days. Money comes before the letters of its day, what was decided stays in its order. */
function inOrder(facts: readonly Fact[]): Fact[] {
  const firstStep = new Map<Day, number>()
  for (const [index, fact] of facts.entries())
    if (fact.kind === 'step' || fact.kind === 'joined')
      firstStep.set(fact.on, Math.min(index, firstStep.get(fact.on) ?? index))
  const day = (fact: Fact): Day => (fact.kind === 'document' ? fact.sentOn : fact.on)
  const place = (fact: Fact, index: number): number =>
    fact.kind === 'payment' ? Math.min(index, (firstStep.get(fact.on) ?? index) - 0.5) : index
  return facts
    .map((fact, index) => ({ fact, day: day(fact), place: place(fact, index) }))
    .toSorted((a, b) => (a.day === b.day ? a.place - b.place : a.day < b.day ? -1 : 1))
    .map(({ fact }) => fact)
}

/** Goes through the facts once. */
class Reading {
  readonly debts = new Map<string, Debt>()
  readonly claimOf = new Map<string, string>()
  readonly owedBack = new Map<string, number>()
  readonly favours: Favour[] = []
  readonly paid = new Map<string, Paid>()
  private readonly credited = new Map<string, number>()
  /** By a claim that never came to be, the document that was to join it. */
  private readonly meant = new Map<string, string>()
  /** The place of each fact in the order in which they became known. */
  private readonly heard: ReadonlyMap<Fact, number>

  constructor(facts: readonly Fact[]) {
    this.heard = new Map(facts.map((fact, index) => [fact, index]))
  }

  /** A document's debt, or its claim's. */
  private find(id: string): Debt | undefined {
    return this.debts.get(this.claimOf.get(id) ?? id)
  }

  /** As find; of a claim that never came to be, the document's. */
  private debt(id: string): Debt {
    const debt = this.find(id) ?? this.find(this.meant.get(id) ?? id)
    if (!debt) throw new Error(`no debt ${id}`)
    return debt
  }

  private open(id: string, terms: DocumentFact): Debt {
    const debt = new Debt(id, terms, (name, minor) => this.favours.push({ name, debt: id, minor }))
    this.debts.set(id, debt)
    return debt
  }

  private giveBack(debt: Debt, minor: number): void {
    const { debtor } = debt.terms
    this.owedBack.set(debtor, (this.owedBack.get(debtor) ?? 0) + minor)
  }

  read(fact: Fact): void {
    switch (fact.kind) {
      case 'document':
        this.open(fact.id, fact).open.principal = fact.minor
        return
      case 'payment': {
        const debt = this.debt(fact.debt)
        const off = debt.pay(fact.minor, fact.on)
        this.paid.set(fact.id, { debt: fact.debt, off, heard: this.heard.get(fact) ?? 0 })
        return this.giveBack(debt, off.surplus)
      }
      case 'given-up':
        return this.giveUp(fact)
      case 'taken-back':
        return this.takeBack(fact.payment, fact.on)
      case 'step':
        // Of a claim that never came to be, because all had been paid by then: nothing.
        return this.find(fact.debt)?.step(fact)
      case 'joined':
        return this.join(fact.document, fact.claim, fact.on)
      case 'credit':
        return this.credit(fact.document, fact.minor)
      case 'dispute':
        this.debt(fact.debt).isDisputed = true
        return
      case 'answer':
        return this.answer(fact)
      case 'waived':
        return this.giveBack(this.debt(fact.debt), this.debt(fact.debt).waive(fact))
      case 'written-off':
        return this.giveBack(this.debt(fact.debt), this.debt(fact.debt).writeOff(fact.minor))
      case 'pause':
      case 'resume':
        this.debt(fact.debt).isHeld = fact.kind === 'pause'
        return
      case 'night':
        for (const debt of this.debts.values()) debt.bill(fact.on)
    }
  }

  /** Given up is what was owed and not paid by the money that had been heard of. What more money has paid of it is owed back. */
  private giveUp(fact: Extract<Fact, { kind: 'given-up' }>): void {
    const debt = this.debt(fact.debt)
    let left = debt.total
    for (const { debt: id, off, heard } of this.paid.values()) {
      if (this.find(id) !== debt) continue
      left += heard > (this.heard.get(fact) ?? 0) ? off.costs + off.interest + off.principal : -off.surplus
    }
    if (left <= 0) return
    this.giveBack(debt, debt.giveUp(Math.min(left, fact.minor), fact.owedTo).surplus)
  }

  /** M-25: what looked paid bears no interest for the days on which it did. */
  private takeBack(payment: string, on: Day): void {
    const taken = this.paid.get(payment)
    if (!taken) throw new Error(`no payment ${payment}`)
    const debt = this.debt(taken.debt)
    const { off } = taken
    const before = debt.open.principal
    for (const bucket of ['principal', 'costs', 'interest'] as const) debt.open[bucket] += off[bucket]
    this.giveBack(debt, -off.surplus)
    debt.wasOwedUntil(before - debt.open.principal, on)
  }

  private join(document: string, claim: string, on: Day): void {
    const debt = this.debt(document)
    this.meant.set(claim, document)
    // Money that was there by then: nothing was left to hand over.
    if (debt.total <= 0 || debt.isDisputed) return
    const found = this.debts.get(claim)
    const joint = found ?? this.open(claim, debt.terms)
    // A small rest after a payment is let be: had the payment been heard of, nothing would have been handed over.
    if (!debt.isLetBe(on)) this.tellOnJoining(debt, on)
    for (const bucket of ['principal', 'costs', 'interest'] as const) {
      joint.open[bucket] += debt.open[bucket]
      debt.open[bucket] = 0
    }
    joint.chargedBefore += debt.charged('costs') + debt.chargedBefore
    joint.rest += debt.rest
    joint.toldTo = on
    if (debt.terms.dueOn < joint.terms.dueOn) joint.terms = debt.terms
    joint.hasPaid ||= debt.hasPaid
    this.claimOf.set(document, claim)
  }

  /** The interest up to the day goes along, as a posting or, when that is too little, as what is left over. */
  private tellOnJoining(debt: Debt, on: Day): void {
    const interest = debt.tellInterest(on)
    if (interest === 0) debt.rest += debt.accrued(on)
    else {
      const ground = debt.open.principal
      debt.charges.push({ type: 'COLLECTION', on, costs: 0, interest, ground, credited: 0 })
    }
    debt.late = []
  }

  private credit(document: string, minor: number): void {
    const debt = this.debt(document)
    this.giveBack(debt, debt.credit(minor))
    this.countCredit(document, minor)
  }

  private countCredit(document: string, minor: number): void {
    const debt = this.debt(document)
    const sum = (this.credited.get(document) ?? 0) + minor
    this.credited.set(document, sum)
    if (sum >= debt.terms.minor && debt.id === document) debt.forgive()
  }

  private answer({ debt: id, on, credit, dueOn }: Extract<Fact, { kind: 'answer' }>): void {
    const debt = this.debt(id)
    debt.isDisputed = false
    // It goes on by this decision, also where a respite had been given before.
    debt.isHeld = false
    if (credit === null) return
    const joined = [...this.claimOf].flatMap(([document, claim]) => (claim === debt.id ? [document] : []))
    const of = joined.length > 0 ? joined : [debt.id]
    const left = of.map((each) => (this.debts.get(each)?.terms.minor ?? 0) - (this.credited.get(each) ?? 0))
    const members = joined.flatMap((each) => this.debts.get(each) ?? [])
    const minor = credit === 'all' ? left.reduce((sum, each) => sum + each, 0) : credit
    this.giveBack(debt, debt.uphold(minor, dueOn ?? addDays(on, DAYS_AFTER_ANSWER), members))
    if (joined.length > 0) for (const each of [debt, ...members]) each.forgive()
    else this.countCredit(debt.id, minor)
  }
}

/** What is owed once all the facts are known, which are given in the order in which they became known. */
export function judge(facts: readonly Fact[]): Verdict {
  const reading = new Reading(facts)
  for (const fact of inOrder(facts)) reading.read(fact)
  const debts = [...reading.debts]
  return {
    owed: new Map(debts.map(([id, { open }]) => [id, { ...open }])),
    owedBack: reading.owedBack,
    billed: new Map(debts.flatMap(([id, { billed }]) => (billed > 0 ? [[id, billed] as const] : []))),
    favours: reading.favours,
  }
}
