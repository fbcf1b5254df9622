import type postgres from 'postgres'

export async function connectToInviter(tx: postgres.ISql, player: string, instructor: string, now: Date) {
  await tx`insert into connections (player, instructor, since) values (${player}, ${instructor}, ${now}) on conflict do nothing`
}
