/**
 * Reads that are asked for at the same moment, answered by one statement. Planning, the round trip and the calls
 * into the operating system are then paid once for all of them, which is most of what a small read costs. Nobody
 * waits for company: a read goes at once unless as many as allowed are under way.
 */
import { isDatabaseAway } from './database-away.ts'

/** Answers `asked`, each in its place. */
export type AnswerAll<Asked, Answer> = (asked: readonly Asked[]) => Promise<readonly Answer[]>

type Waiting<Asked, Answer> = {
  readonly asked: Asked
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Two: while the database works on one set, the next is gathered and the last is sent on. */
const MOST_UNDER_WAY = 2
const MOST_TOGETHER = 32

/**
 * One reader's way to `answerAll`. What fails batchReads is tried again one by one, so that nobody fails for what
 * another has asked: `answerAll` must have no effects when it fails.
 */
export function batchReads<Asked, Answer>(
  answerAll: AnswerAll<Asked, Answer>,
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = []
  let underWay = 0

  /**
   * Where nothing answers, asking one by one would only take longer, and so would each set after it: who waits at that
   * moment is told at once, or the last of many would wait for as long as all before it together.
   */
  function rejectAll(set: readonly Waiting<Asked, Answer>[], error: unknown): void {
    const told = [...set, ...waiting]
    waiting = []
    for (const one of told) one.reject(error)
  }

  async function answer(set: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(set.map((one) => one.asked))
      if (answers.length !== set.length) throw new Error(`${set.length} asked, ${answers.length} answered`)
      for (const [index, one] of set.entries()) one.resolve(answers[index] as Answer)
    } catch (error) {
      if (isDatabaseAway(error)) rejectAll(set, error)
      else if (set.length === 1) for (const one of set) one.reject(error)
      else await Promise.all(set.map((one) => answer([one])))
    }
  }

  async function sendNext(): Promise<void> {
    underWay++
    while (waiting.length > 0) {
      const set = waiting.slice(0, MOST_TOGETHER)
      waiting = waiting.slice(MOST_TOGETHER)
      await answer(set)
    }
    underWay--
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (underWay < MOST_UNDER_WAY) void sendNext()
    })
}

/** The rows of each of `count` askers, in the order in which they came; `n` says whose, counted from 1. */
export function rowsOfEach<Row extends { readonly n: number }>(
  rows: readonly Row[],
  count: number,
): Omit<Row, 'n'>[][] {
  const all: Omit<Row, 'n'>[][] = Array.from({ length: count }, () => [])
  for (const { n, ...row } of rows) all[n - 1]?.push(row)
  return all
}

const MOST_KEPT = 1_000

/**
 * Keeps one door for each database and key, for reads that differ in what one statement takes only once. A door
 * that is given up goes on answering whom it has let in.
 */
export function keepBatchedReads<Asked, Answer>() {
  const kept = new WeakMap<object, Map<string, (asked: Asked) => Promise<Answer>>>()
  return (
    db: object,
    key: string,
    answerAll: AnswerAll<Asked, Answer>,
  ): ((asked: Asked) => Promise<Answer>) => {
    const doors = kept.get(db) ?? new Map<string, (asked: Asked) => Promise<Answer>>()
    kept.set(db, doors)
    const door = doors.get(key) ?? batchReads(answerAll)
    if (doors.size >= MOST_KEPT) doors.clear()
    doors.set(key, door)
    return door
  }
}
