/** The SQL of what became of a file that the sandbox's bank has sent. */
import { statement, type Connection } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

const linesOfFile = statement(
  'demo.linesOfFile',
  `select l.number as line, l.status, coalesce(i.invoice_number, c.claim_number) as number, (select k.details ->> 'reason'
     from ${tasksOf(['bank_line'])} k where k.instance_id = l.instance_id and k.about = 'bank-line:' || l.id) as reason
   from bank_line l
   join bank_file f on f.instance_id = l.instance_id and f.id = l.file_id
   left join invoice i on i.instance_id = l.instance_id and i.id = l.invoice_id
   left join claim c on c.instance_id = l.instance_id and c.id = l.claim_id
   where l.instance_id = $1 and f.name = $2 order by l.number`,
)

export type TakenLine = { line: number; status: string; number: string | null; reason: string | null }

/** The lines of the file with that name, with the invoice or claim that each is on. */
export function readLinesOfFile(db: Connection, instanceId: string, name: string): Promise<TakenLine[]> {
  return db.rows<TakenLine>(linesOfFile, [instanceId, name])
}
