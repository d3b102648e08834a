/**
 * Is there a letter or a digit that can be seen? The Hangul fillers, such as U+3164, are letters of which nothing is drawn
 * (Unicode Standard, section 5.21, Default_Ignorable_Code_Point).
 */
export function saysSomething(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text)
}
