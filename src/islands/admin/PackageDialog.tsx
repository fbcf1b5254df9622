import { useState } from 'react'
import { v7 } from 'uuid'
import type { Reply } from '../../client/api.ts'
import { notThere } from '../../client/not-there.ts'
import { refresh, useQuery } from '../../client/query.ts'
import { send } from '../../client/send.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Choices } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Failed } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.ts'
import { sentence, useCommand } from '../command.ts'
import { useKeptForm } from '../kept.ts'
import { PackagePill } from '../payments/History.tsx'
import { Items, Line } from '../payments/Items.tsx'

type Bought = Reply<'GET /api/purchases/{purchase}'>
type Books = NonNullable<Bought['books']>
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

function Refund({ bought, books: { refundable, unused }, onDone }: { bought: Bought; books: Books; onDone: () => void }) {
  const form = useKeptForm(`refund-package:${bought.id}`, { what: refundable.unused > 0 ? 'unused' : 'whole', reason: '' })
  const [refund, setRefund] = useState(() => v7())
  const give = useCommand()
  const submit = form.handleSubmit(async ({ what: chosen, reason }) => {
    const what = chosen as 'whole' | 'unused'
    const done = await give.run(async () => {
      const body = { refund, what, cents: refundable[what], reason }
      await send('POST /api/admin/purchases/{purchase}/refund', { params: { purchase: bought.id }, body })
    })
    refresh('GET /api/purchases/{purchase}')
    if (!done) return
    form.forget()
    setRefund(v7())
    toast({ title: 'Refund asked', description: `${money(refundable[what])} goes back to ${bought.playerName}.` })
    onDone()
  })
  return (
    <form onSubmit={submit} noValidate className="mt-6 flex flex-col gap-4 border-t border-line pt-6">
      <Choices legend={<span className="text-16 font-medium">Give money back</span>} className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {refundable.unused > 0 && (
          <Choice
            type="radio"
            value="unused"
            label={money(refundable.unused)}
            detail={`For ${count(unused, 'unused folder')}, which ${unused === 1 ? 'goes' : 'go'} with it.`}
            {...form.register('what')}
          />
        )}
        <Choice
          type="radio"
          value="whole"
          label={money(refundable.whole)}
          detail="Everything that is left. Sessions that were given stay paid to their instructors."
          {...form.register('what')}
        />
      </Choices>
      <TextArea
        label="Reason"
        hint="Kept in the log. The player gets a letter."
        rows={2}
        error={form.formState.errors.reason?.message ?? give.message}
        {...form.register('reason', {
          validate: text => text.trim().length >= 3 || 'Say why',
          maxLength: { value: 500, message: 'At most 500 characters' },
        })}
      />
      <Button type="submit" variant="danger" busy={give.busy} className="self-start">
        Refund
      </Button>
    </form>
  )
}

/** One package for an admin: how its folders were used, what it earned or lost, and money back. */
export function PackageDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, retry } = useQuery('GET /api/purchases/{purchase}', { params: { purchase: id } })
  const books = data?.books
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={data ? `${data.label} package` : 'Package'}
      about={data && `${data.playerName}, ${count(data.folders, 'folder')}`}
    >
      {!data || !books ? (
        error ? (
          notThere(error) ? (
            <p className="text-ink-2">This package is not booked yet.</p>
          ) : (
            <Failed title="The package did not load" error={sentence(error)} retry={retry} />
          )
        ) : (
          <Skeleton className="h-60" />
        )
      ) : (
        <>
          <div className="mb-4 flex items-center justify-between gap-2">
            <PackagePill purchase={data} />
            <span className="text-14 text-ink-2">{data.receipt}</span>
          </div>
          <Items items={[{ label: `${data.label}, ${count(data.folders, 'folder')}`, cents: data.cents }]}>
            {data.refunded > 0 && <Line label="Refunded" cents={-data.refunded} />}
            <Line strong label="Total" cents={data.cents - data.refunded} />
          </Items>
          <p className="mt-3 text-14 text-ink-2">
            {count(books.unused, 'folder')} unused, {books.used} used{books.gone > 0 && `, ${books.gone} gone with their money`}.
            Instructors get {money(books.shares)} for {count(books.given, 'session')} given on it.
          </p>
          {books.loss > 0 && <p className="mt-3 rounded-field bg-red-wash p-3 font-medium text-red">Loss: {money(books.loss)}</p>}
          {books.refundable.whole > 0 && <Refund bought={data} books={books} onDone={onClose} />}
        </>
      )}
    </Dialog>
  )
}
