import { derivedId, handle } from '../kernel/decider.ts'
import type { Till } from './charge.ts'
import { PACKAGES, type PackageType } from './policy.ts'
import { purchase } from './purchase.ts'

/** Books the package that a hosted page sold; null while it is not paid. */
export async function bookPackage(
  { store, gateway }: Till,
  session: string,
): Promise<{ player: string; purchase: string; folders: number } | null> {
  const done = await gateway.checkoutDone(session)
  const type = done.metadata.package as PackageType
  if (!done.paid || !done.intent || !done.charge || !(type in PACKAGES)) return null
  const { player, amount, intent, charge } = done
  const id = derivedId('purchase', session)
  const bought = { player, package: type, folders: Number(done.metadata.folders), amount, session, intent, charge }
  await handle(store, purchase, id, 'complete', bought, { command: derivedId(session, 'complete'), actor: player })
  return { player, purchase: id, folders: bought.folders }
}
