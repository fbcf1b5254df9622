import { toast } from '../ui/toast.ts'

/** Copies text and shows a toast with the next step (`next`); if the browser refuses, the toast says how to copy it manually. */
export async function copyWithToast(what: 'code' | 'link', text: string, next: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: `${what === 'link' ? 'Link' : 'Code'} copied`, description: next })
  } catch {
    toast({ title: 'Not copied', description: `Select the ${what} and copy it by hand.`, variant: 'destructive' })
  }
}
