import { type House, type Letter, money, Say, Title, Words } from './frame.tsx'

/** To the player: money is on its way back. */
export const refunded = (p: { player: string; folder: string; amount: number; card: string; reason: string }, _: House): Letter => ({
  subject: `${money(p.amount)} is on its way back to you`,
  preview: `For "${p.folder}".`,
  body: (
    <>
      <Title>You got a refund</Title>
      <Say>Hi {p.player},</Say>
      <Say>
        We gave {money(p.amount)} for "{p.folder}" back to your {p.card}. It can take your bank 5–10 days to show it. The reason:
      </Say>
      <Words>{p.reason}</Words>
    </>
  ),
})
