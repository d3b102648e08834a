/** Why nothing was done about a task, for a person to read. Nothing has changed. */
export class TaskRefused extends Error {
  override name = 'TaskRefused'
}
