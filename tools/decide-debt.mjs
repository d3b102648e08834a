// `npm run decide-debt -- (--invoice N | --claim N) (--pause [--until DAY] | --resume | --stop | --deny-tax-reduction A --decision REF) --reason TEXT`
import { runCommand } from './run-command.mjs'

await runCommand('decide-debt-cli.js')
