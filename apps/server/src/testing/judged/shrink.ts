/** From a story that went wrong to the few steps of it that matter. */
import type { Step, Story } from './story.ts'

/** Does the story still go wrong? Played from its beginning on a stage of its own. */
type GoesWrong = (story: Story) => Promise<boolean>

/** What happened to one debtor alone: nothing else changes what is owed there. */
export function ofDebtor(story: Story, debtor: number): Story {
  const documents = new Set(
    story.steps.flatMap((step) => (step.do === 'send' && step.debtor === debtor ? [step.document] : [])),
  )
  return {
    ...story,
    steps: story.steps.filter((step) => step.do === 'night' || documents.has(step.document)),
  }
}

/**
 * The same with as few acts as can be found, and no night after the last that is needed. Leaves out halves, then quarters, down to
 * single acts, as long as it goes wrong without them.
 */
export async function shrink(story: Story, goesWrong: GoesWrong): Promise<Story> {
  let steps: readonly Step[] = await withoutLateNights(story, goesWrong)
  const acts = (): number[] => steps.flatMap((step, index) => (step.do === 'night' ? [] : [index]))
  for (let size = Math.ceil(acts().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < acts().length; ) {
      const left = new Set(acts().slice(from, from + size))
      const fewer = steps.filter((_, index) => !left.has(index))
      if (await goesWrong({ ...story, steps: fewer })) steps = fewer
      else from += size
    }
  }
  return { ...story, steps }
}

async function withoutLateNights(story: Story, goesWrong: GoesWrong): Promise<readonly Step[]> {
  const { steps } = story
  let [least, most] = [0, steps.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (await goesWrong({ ...story, steps: steps.slice(0, middle) })) most = middle
    else least = middle + 1
  }
  return steps.slice(0, most)
}

/** One step on each line; nights in a row together. */
export function printed({ seed, firstDay, steps }: Story): string {
  const lines: string[] = []
  let nights = 0
  for (const step of steps) {
    if (step.do === 'night') nights += 1
    else {
      if (nights > 0) lines.push(`${nights} nights`)
      nights = 0
      lines.push(JSON.stringify(step))
    }
  }
  return [`seed ${seed}, from ${firstDay}`, ...lines, `${nights} nights`].join('\n  ')
}
