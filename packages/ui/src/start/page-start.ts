/** What the script in the head of the page leaves on `globalThis` for the program that comes after it. */
export type PageStart = {
  /** An answer that it has asked for already; taken once (early-answer.ts). */
  kvittEarly?: { readonly url: string; readonly response: Promise<Response> } | undefined
  /** A form was sent before anybody could answer (carry-over.ts). */
  kvittSent?: boolean
  /** The words on the button that was pressed likewise. */
  kvittPressed?: string
  /** The whole style sheet; the page itself has only what its first screens need. */
  kvittStyled?: Promise<void>
  /** Shows in the place of the program that a part of it, without which there is no page, could not be fetched. */
  kvittLost?: () => void
}
