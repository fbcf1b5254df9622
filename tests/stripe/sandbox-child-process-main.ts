import { pino } from 'pino'
import { startStripeSandbox } from '../../src/embedded/stripe/index.ts'

/** Runs a sandbox in a separate process that a test kills. Prints the configuration on one line. */
const { config } = await startStripeSandbox({ dataDir: process.argv[2]!, log: pino({ level: 'silent' }), webhookUrl: process.argv[3]! })
process.stdout.write(`${JSON.stringify(config)}\n`)
