// `npm run decide-dispute -- [--provider ALIAS] [--dispute ID (--uphold | --uphold-part A | --reject) --answer TEXT --by NAME]`
import { runCommand } from './run-command.mjs'

await runCommand('decide-dispute-cli.js')
