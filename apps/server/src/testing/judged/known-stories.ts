/** Short stories that books and oracle once did not agree on, each with what was wrong. */
import { tellStory, type Act, type Step, type Story } from './story.ts'

/** So many nights of the story that the seed tells, or what somebody does between them. */
type Part = number | Act

type Parts = { readonly seed: number; readonly parts: readonly Part[] }
type KnownStory = Parts & { readonly wrong: string }

const STEPS = 2_500

export const KNOWN_STORIES: readonly KnownStory[] = [
  {
    wrong: 'a letter told no interest, as one before it that was never sent had told it already',
    seed: 224,
    parts: [
      60,
      { do: 'send', document: 292, debtor: 20, minor: 499_000, termDays: 22 },
      6,
      { do: 'pay', document: 292, part: 'half' },
      25,
      { do: 'dispute', document: 292 },
      0,
    ],
  },
  {
    wrong: 'money that was heard of after a credit left a fee for principal that nobody owed any more',
    seed: 222,
    parts: [
      18,
      { do: 'send', document: 86, debtor: 86, minor: 150_000, termDays: 7 },
      10,
      { do: 'pay', document: 86, part: 'half' },
      4,
      { do: 'credit', document: 86, part: 'half' },
      0,
    ],
  },
  {
    wrong:
      'what a person has to put right was held against the books: a claim over two invoices, one paid before it',
    seed: 179,
    parts: [
      26,
      { do: 'send', document: 139, debtor: 70, minor: 39_900, termDays: 11 },
      3,
      { do: 'send', document: 154, debtor: 70, minor: 100, termDays: 7 },
      6,
      { do: 'send', document: 181, debtor: 70, minor: 84_200, termDays: 11 },
      15,
      { do: 'pay', document: 181, part: 'little' },
      5,
      { do: 'pay', document: 139, part: 'all' },
      0,
    ],
  },
  {
    wrong: 'a Norwegian notice cost something the day after the due date that an answer had moved',
    seed: 127,
    parts: [
      60,
      { do: 'send', document: 323, debtor: 7, minor: 150_000, termDays: 20 },
      42,
      { do: 'dispute', document: 323 },
      1,
      { do: 'answer', document: 323, credit: 'some' },
      15,
    ],
  },
  {
    wrong: 'what an invoice had left over was forgotten when its claim was told anew',
    seed: 0,
    parts: [
      9,
      { do: 'send', document: 55, debtor: 107, minor: 15_000, termDays: 11 },
      28,
      { do: 'pay', document: 55, part: 'half' },
      75,
      { do: 'pay', document: 55, part: 'all' },
      1,
    ],
  },
  {
    wrong: 'a credit did not take back interest for principal that late money had paid',
    seed: 3,
    parts: [
      23,
      { do: 'send', document: 120, debtor: 62, minor: 84_200, termDays: 7 },
      23,
      { do: 'pay', document: 120, part: 'most' },
      30,
      { do: 'credit', document: 120, part: 'most' },
      0,
    ],
  },
  {
    wrong: 'a claim that would not have been opened bore costs in the opinion of the oracle',
    seed: 4,
    parts: [
      38,
      { do: 'send', document: 200, debtor: 39, minor: 39_900, termDays: 29 },
      49,
      { do: 'pay', document: 200, part: 'most' },
      1,
    ],
  },
  {
    wrong: 'a fee that a credit took back was owed back although a part of it had been given up',
    seed: 16,
    parts: [
      23,
      { do: 'send', document: 130, debtor: 41, minor: 100, termDays: 24 },
      33,
      { do: 'pay', document: 130, part: 'most' },
      43,
      { do: 'credit', document: 130, part: 'all' },
      0,
    ],
  },
  {
    wrong: 'the same of money that was heard of late',
    seed: 13,
    parts: [
      28,
      { do: 'send', document: 145, debtor: 106, minor: 100, termDays: 12 },
      39,
      { do: 'pay', document: 145, part: 'half' },
      39,
      { do: 'credit', document: 145, part: 'all' },
      0,
    ],
  },
  {
    wrong: 'a letter about a rest that is given up told interest in the opinion of the oracle',
    seed: 21,
    parts: [
      52,
      { do: 'send', document: 249, debtor: 118, minor: 39_900, termDays: 9 },
      22,
      { do: 'pay', document: 249, part: 'little' },
      2,
      { do: 'pay', document: 249, part: 'most' },
      0,
    ],
  },
  {
    wrong: 'a respite went on after a dispute was rejected in the opinion of the oracle',
    seed: 18,
    parts: [
      37,
      { do: 'send', document: 186, debtor: 1, minor: 9_900, termDays: 8 },
      7,
      { do: 'pause', document: 186 },
      2,
      { do: 'dispute', document: 186 },
      42,
      { do: 'answer', document: 186, credit: 'none' },
      11,
    ],
  },
  {
    wrong: 'a charge that was paid since was left open by money that had come before it',
    seed: 30,
    parts: [
      56,
      { do: 'send', document: 298, debtor: 46, minor: 499_000, termDays: 16 },
      43,
      { do: 'pay', document: 298, part: 'little' },
      1,
      { do: 'pay', document: 298, part: 'little' },
      0,
    ],
  },
  {
    wrong: 'the same beside money that was heard of in time',
    seed: 34,
    parts: [
      24,
      { do: 'send', document: 127, debtor: 89, minor: 84_200, termDays: 14 },
      41,
      { do: 'pay', document: 127, part: 'half' },
      2,
      { do: 'pay', document: 127, part: 'little' },
      0,
    ],
  },
  {
    wrong: 'money that had paid charges alone left no late days when it paid what was bought after all',
    seed: 30,
    parts: [
      56,
      { do: 'send', document: 298, debtor: 46, minor: 499_000, termDays: 16 },
      43,
      { do: 'pay', document: 298, part: 'little' },
      1,
      { do: 'pay', document: 298, part: 'little' },
      16,
    ],
  },
  {
    wrong:
      'a rest given up on a claim that would not have been opened was never given up in the opinion of the oracle',
    seed: 38,
    parts: [
      57,
      { do: 'send', document: 335, debtor: 3, minor: 260, termDays: 18 },
      50,
      { do: 'pay', document: 335, part: 'most' },
      1,
      { do: 'pay', document: 335, part: 'too much' },
      0,
    ],
  },
  {
    wrong: 'an objection that was right in part made the last day to pay an earlier one',
    seed: 49,
    parts: [
      12,
      { do: 'send', document: 72, debtor: 113, minor: 499_000, termDays: 30 },
      4,
      { do: 'dispute', document: 72 },
      5,
      { do: 'answer', document: 72, credit: 'some' },
      30,
    ],
  },
  {
    wrong: 'of two equal payments the second was taken for the one that left a small rest',
    seed: 69,
    parts: [
      2,
      { do: 'send', document: 20, debtor: 75, minor: 3_990, termDays: 13 },
      1,
      { do: 'pay', document: 20, part: 'most' },
      { do: 'pay', document: 20, part: 'most' },
      4,
      { do: 'pay', document: 20, part: 'little' },
      0,
    ],
  },
  {
    wrong: 'money heard of after a credit left interest on what the credit had taken since',
    seed: 102_027,
    parts: [
      54,
      { do: 'send', document: 241, debtor: 46, minor: 150_000, termDays: 5 },
      8,
      { do: 'pay', document: 241, part: 'little' },
      2,
      { do: 'credit', document: 241, part: 'half' },
      0,
    ],
  },
  {
    wrong:
      'money from before a claim left the interest that was too little to post, and went along, on what it had paid',
    seed: 100_037,
    parts: [
      52,
      { do: 'send', document: 254, debtor: 103, minor: 8_420, termDays: 7 },
      35,
      { do: 'pay', document: 254, part: 'half' },
      26,
    ],
  },
  {
    wrong:
      'the days of a posting that had gone were counted beside those of the posting that had counted them again',
    seed: 110_092,
    parts: [
      17,
      { do: 'send', document: 105, debtor: 20, minor: 499_000, termDays: 26 },
      25,
      { do: 'pay', document: 105, part: 'half' },
      11,
      { do: 'pay', document: 105, part: 'little' },
      2,
      { do: 'pay', document: 105, part: 'half' },
      0,
    ],
  },
]

/** Stories under which a fault is found that those of seeds do not show, or not soon. */
export const STORIES_OF_FAULTS: readonly (Parts & { readonly fault: string })[] = [
  {
    // What was paid went to the costs of the claim.
    fault: 'the fees of a claim whose dispute was upheld stay',
    seed: 0,
    parts: [
      { do: 'send', document: 0, debtor: 4, minor: 9_900, termDays: 10 },
      38,
      { do: 'pay', document: 0, part: 'half' },
      8,
      { do: 'dispute claim', document: 0 },
      1,
      { do: 'answer claim', document: 0, credit: 'all' },
      0,
    ],
  },
]

/** The story with these parts, its post and its banks' reports as the seed tells them. Of more nights than it has, all post is sent. */
export function storyOf({ seed, parts }: Parts): Story {
  const story = tellStory(seed, STEPS)
  const nights = story.steps.filter((step) => step.do === 'night')
  const steps = parts.flatMap((part): Step[] =>
    typeof part === 'number'
      ? Array.from({ length: part }, () => nights.shift() ?? { do: 'night', isPostSent: true })
      : [part],
  )
  return { ...story, steps }
}
