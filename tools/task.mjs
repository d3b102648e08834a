// `npm run task -- [--kind K] [--task ID [--do ACT --reason TEXT]]`: what needs a person, and what was decided about it.
import { runCommand } from './run-command.mjs'

await runCommand('task-cli.js')
