import { pino } from 'pino'
import { startStripeSandbox } from '../../src/embedded/stripe/index.ts'

/** A sandbox in a process of its own, to be killed: says its config in one line. */
const { config } = await startStripeSandbox({ dataDir: process.argv[2]!, log: pino({ level: 'silent' }), webhookUrl: process.argv[3]! })
process.stdout.write(`${JSON.stringify(config)}\n`)
