/** A repeatable stream of chance: the same seed, the same story. */
export class Chance {
  private state: number
  constructor(seed: number) {
    this.state = seed | 0
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `low` to `high`, both possible. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  happens(share: number): boolean {
    return this.next() < share
  }

  oneOf<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.next() * list.length)]
  }
}
