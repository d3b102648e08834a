import { expect, test } from 'vitest'
import { Refusal } from '@kvitt/domain/errors.ts'
import { describeProblem } from './problem.ts'

test.each([
  ['sv', 'Beloppet har ändrats. Att betala är nu 1\u00a0399,00\u00a0SEK.'],
  ['en', 'The amount has changed. The amount to pay is now 1\u00a0399,00\u00a0SEK.'],
  ['nb', 'Beløpet er endret. Å betale er nå 1\u00a0399,00\u00a0SEK.'],
  ['da', 'Beløbet er ændret. Der skal nu betales 1.399,00\u00a0SEK.'],
  ['fi', 'Summa on muuttunut. Maksettavaa on nyt 1\u00a0399,00\u00a0SEK.'],
] as const)('%s: an amount is written as its reader writes it', (language, message) => {
  const refusal = new Refusal('amount_changed', { amount: '1399.00', currency: 'SEK' }, ['amount'])
  expect(describeProblem(refusal, language, 't')).toMatchObject({
    message,
    params: { amount: '1399.00', currency: 'SEK' },
  })
})

test.each([
  ['sv', 'Ogiltig e-postadress.', 'Fakturadokumentet kunde inte hittas.'],
  ['en', 'Not a valid e-mail.', 'Unable to find invoice document.'],
  ['nb', 'Ugyldig e-postadresse.', 'Finner ikke fakturadokumentet.'],
  ['da', 'Ugyldig e-mailadresse.', 'Fakturadokumentet kunne ikke findes.'],
  ['fi', 'Virheellinen sähköpostiosoite.', 'Laskuasiakirjaa ei löytynyt.'],
] as const)('%s: what the specification quotes is said word for word (D-33)', (language, email, document) => {
  expect(describeProblem(new Refusal('invalid_email'), language, 't').message).toBe(email)
  expect(describeProblem(new Refusal('document_not_found'), language, 't').message).toBe(document)
})
