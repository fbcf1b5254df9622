import { Bill, date, Go, type House, type Letter, money, Say, Title } from './frame.tsx'

/** To the player: a package of folders, paid. */
export const packageReceipt = (
  p: { player: string; label: string; folders: number; paid: number; at: string; card: string | null; number: string; purchase: string },
  { name, origin }: House,
): Letter => ({
  subject: `Receipt ${p.number}: ${money(p.paid)}`,
  preview: `${p.label}: ${p.folders === 1 ? '1 folder is' : `${p.folders} folders are`} ready. Thank you.`,
  body: (
    <>
      <Title>Thank you, it is paid</Title>
      <Say>
        {name} receipt {p.number}
        <br />
        {date(p.at)}
        {p.card && (
          <>
            <br />
            {p.card}
          </>
        )}
      </Say>
      <Say>
        {p.label} for {p.player}: {p.folders === 1 ? 'the base price of 1 session' : `the base price of ${p.folders} sessions`}. The Media
        Service Fee, and a tip if you like, come after the feedback.
      </Say>
      <Bill
        lines={[
          { label: `${p.label}, ${p.folders === 1 ? '1 folder' : `${p.folders} folders`}`, cents: p.paid },
          { label: 'Paid', cents: p.paid },
        ]}
      />
      <Go href={`${origin}/player/payment?receipt=${p.purchase}`}>Open the receipt</Go>
    </>
  ),
})
