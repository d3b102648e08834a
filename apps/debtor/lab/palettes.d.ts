/** Primary and button colour of five providers; the last two are hard to read on and hard to tell from anything. */
export declare const PALETTES: Readonly<Record<string, readonly [primary: string, button: string]>>
/** Puts a provider's colours on the page, as the server writes them into it (instances/branding.ts). */
export declare function paint(name: string): void
