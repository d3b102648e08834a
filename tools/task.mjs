// `npm run task -- [--kind K] [--task ID [--do ACT --reason TEXT | --assign NAME | --snooze DAY | --note TEXT]]`: what needs a person.
import { runCommand } from './run-command.mjs'

await runCommand('task-cli.js')
