import { randomUUID } from 'node:crypto'
import { type NewNote, Note } from '../../contract/event.ts'
import { orNotSaved } from './content.ts'
import { noteBell, queueBell, type Sql, toJson } from './sql.ts'

export async function listNotes({ query }: Pick<Sql, 'query'>, run: string, after: number): Promise<readonly Note[]> {
  const rows = await query<{ id: number; note: object }>(
    'select id, note from pawl.note where run = $1 and id > $2 order by id',
    [run, after],
  )
  return rows.map(({ id, note }) => Note.parse({ ...note, id }))
}

/**
 * Posts a note and wakes the run: the process that holds it, or a worker if it waits in the queue. The key finds the note again
 * after a lost acknowledgement, so that it is never posted twice.
 */
export async function postNote(sql: Pick<Sql, 'query' | 'listener'>, run: string, given: NewNote): Promise<Note> {
  const { id: _, ...note } = Note.parse({ ...given, id: 1 })
  const key = randomUUID()
  return orNotSaved(`a note for run ${run}`, async () => {
    for (;;) {
      const [row] = await sql.query<{ id: number; woken: boolean }>(
        `with woken as (
                update pawl.turn set due = least(due, clock_timestamp()), version = version + 1
                where run = $1 and problem is null returning 1),
              put as (
                insert into pawl.note (run, id, key, note)
                select $1, coalesce((select max(id) from pawl.note where run = $1), 0) + 1, $2, $3
                where exists (select 1 from pawl.run where id = $1)
                on conflict do nothing returning id)
         select id, exists (select 1 from woken) as woken
         from (select id from put union all select id from pawl.note where run = $1 and key = $2) posted`,
        [run, key, toJson(note)],
      )
      if (row) {
        for (const bell of [run, noteBell(run)]) sql.listener.ring(bell)
        if (row.woken) sql.listener.ring(queueBell)
        return Note.parse({ ...note, id: row.id })
      }
      // Somebody else took the number, or the run is gone.
      if ((await sql.query('select 1 from pawl.run where id = $1', [run])).length === 0) throw new Error('it is gone')
    }
  })
}
