import type { Sql } from 'postgres'
import { verifyPassword } from '../../modules/accounts/passwords.ts'
import { type Config, ConfigError } from '../config.ts'
import { isLoopbackHost } from '../loopback-hosts.ts'
import { DEMO_PASSWORD, demoAdmin, demoInstructors, demoPlayer } from './demo-people.ts'
import { demoRaters } from './demo-rated-sessions.ts'

/** The accounts that the server prints when it starts. */
export const demoAccounts = [
  { role: 'player', name: `${demoPlayer.firstName} ${demoPlayer.lastName}`, email: demoPlayer.email, password: DEMO_PASSWORD },
  ...Object.values(demoInstructors).map(c => ({
    role: 'instructor',
    name: `${c.firstName} ${c.lastName}`,
    email: c.email,
    password: DEMO_PASSWORD,
  })),
  { role: 'admin', name: `${demoAdmin.firstName} ${demoAdmin.lastName}`, email: demoAdmin.email, password: DEMO_PASSWORD },
]

/** The email addresses of all demo accounts, which share one password. */
export const demoEmails = [...demoAccounts, ...Object.values(demoRaters)].map(a => a.email)

/**
 * The first setting that lets other machines reach this server, directly or through a proxy; undefined if only this machine can reach it.
 */
function publicAddressSetting({ host, origin }: Config): string | undefined {
  if (!isLoopbackHost(host)) return `HOST: ${host}`
  return isLoopbackHost(new URL(origin).hostname) ? undefined : `ORIGIN: ${origin}`
}

/**
 * Whether the demo may run. Its password is public, so no other machine may reach the server, and the database, file storage, payments
 * and email must be embedded. The log may be in EventStoreDB, but then `seedDemoData` requires it to be empty.
 */
export const isDemoAllowed = (c: Config) => c.demo && !publicAddressSetting(c) && !c.databaseUrl && !c.s3 && !c.stripe && !c.resend

/**
 * Prevents the server from being public with demo accounts that were created while it was only local.
 * @throws ConfigError if other machines can reach the server and a demo account still has the public password
 */
export async function refusePublicServerWithDemoAccounts(config: Config, sql: Sql): Promise<void> {
  const reached = publicAddressSetting(config)
  if (!reached) return
  const accounts = await sql<{ username: string; password: string }[]>`
    select username, password from users where username in ${sql(demoEmails)}`
  for (const { username, password } of accounts) {
    if (!(await verifyPassword(DEMO_PASSWORD, password))) continue
    throw new ConfigError(
      `${reached} can be reached from other machines, where anybody could log in as ${username} with the demo's password. Set DATA_DIR to a new directory, or use this one with HOST=127.0.0.1 and no ORIGIN.`,
    )
  }
}
