/** With `--sequence.seed=N` the files of a project run in an order of chance, so that none comes to need what another left. */
import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class OrderBySeed extends BaseSequencer {
  /** Without a seed the longest come first. A worker is kept for the files of one project only: projects stay together. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence
    if (seed === undefined) return super.sort(files)
    this.ctx.logger.log(`The files run in the order of --sequence.seed=${seed}`)
    const places = new Map(files.map((file) => [file, placeOf(file, seed)]))
    return files.toSorted(
      (one, other) =>
        orderOf(one) - orderOf(other) ||
        compare(one.project.name, other.project.name) ||
        compare(places.get(one) ?? '', places.get(other) ?? ''),
    )
  }
}

const orderOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Of this file alone: one more or one less leaves the others in their order. */
const placeOf = ({ moduleId, project }: TestSpecification, seed: number): string =>
  createHash('sha1')
    .update(`${seed} ${moduleId.slice(project.config.root.length)}`)
    .digest('hex')
