/** The SQL that tells which debts wait for the files of accounts. Both lists are parameters: identifiers and currencies. */

/** Is one of the accounts agreed for the creditor of the debt `d`? Money comes to it, whatever is printed. */
const agreedWaits = (d: string, accounts: string): string =>
  `exists (select from payee_account g
     join payee_account_end e on e.instance_id = g.instance_id and e.payee_id = g.id and e.account_id = any(${accounts}::uuid[])
     where g.instance_id = ${d}.instance_id and g.creditor_id = ${d}.creditor_id and g.currency = ${d}.currency)`

/** Does the invoice `i` wait? It is paid to its own account where that takes its currency, else to the instance's. */
export const invoiceWaits = (i: string, accounts: string, currencies: string): string =>
  `(coalesce(${i}.payment_account_id = any(${accounts}::uuid[]), false) or ${agreedWaits(i, accounts)}
     or ${i}.currency = any(${currencies}::text[])
     and not exists (select from payment_account own
       where own.instance_id = ${i}.instance_id and own.id = ${i}.payment_account_id and own.is_usable
         and coalesce(own.currency, case when own.iban is null then 'SEK' else ${i}.currency end) = ${i}.currency))`

/** Does the claim `c` wait? It is paid to the instance's account, and its invoices still to theirs. */
export const claimWaits = (c: string, accounts: string, currencies: string): string =>
  `(${c}.currency = any(${currencies}::text[]) or ${agreedWaits(c, accounts)} or exists (select from invoice m
     where m.instance_id = ${c}.instance_id and m.claim_id = ${c}.id
       and m.payment_account_id = any(${accounts}::uuid[])))`
