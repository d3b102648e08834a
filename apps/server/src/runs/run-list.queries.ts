/** The SQL of runs as an operator's people see them: all of the instance $1. */
import { RUN_STATUSES, RUN_WORKS } from '@kvitt/domain/runs/run.ts'
import { asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../staff/office-list.ts'

const SHAPE: OfficeListShape = {
  name: 'runs.office',
  from: (whose) => `job_run r
   left join person p on p.id = (select m[1]::uuid from regexp_match(r.asked_by, '^person:([0-9a-f-]{36}):') m)
   where r.instance_id = $1 and ${whose('null::uuid')}`,
  json: sqlJson({
    id: word('r.id'),
    version: asWritten('r.xmin::text'),
    work: word('r.work'),
    day: word('r.day'),
    status: word('r.status'),
    askedBy: 'p.name',
    askedAt: instantText('r.asked_at'),
    startedAt: instantText('r.started_at'),
    endedAt: instantText('r.ended_at'),
    tookMs: 'r.took_ms',
    tries: asWritten('r.tries'),
    done: asWritten('r.done'),
    quarantined: asWritten('r.quarantined'),
    error: 'r.error',
  }),
  targets: { day: 'r.day::text' },
  filters: {
    id: { kind: 'id', sql: 'r.id::text' },
    work: { kind: 'choice', values: RUN_WORKS, sql: 'r.work' },
    status: { kind: 'choice', values: RUN_STATUSES, sql: 'r.status' },
    day: { kind: 'day', sql: 'r.day' },
    /** Whether it left something for a person. */
    quarantined: { kind: 'flag', sql: `(r.quarantined <> '[]')::text` },
  },
  orders: { id: 'r.listed_at', startedAt: 'r.listed_at', day: 'r.day', tookMs: 'r.took_ms' },
  tie: 'r.id',
}

export const searchRunRows = openOfficeList(SHAPE)
export const readRunJson = openOfficeRow(SHAPE)
