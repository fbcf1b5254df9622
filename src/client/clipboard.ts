import { toast } from '../ui/toast.ts'

/** Copies a text and shows a toast: the next step (`next`), or how to copy by hand where the browser refuses. */
export async function copyToClipboard(what: 'code' | 'link', text: string, next: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: `${what === 'link' ? 'Link' : 'Code'} copied`, description: next })
  } catch {
    toast({ title: 'Not copied', description: `Select the ${what} and copy it by hand.`, variant: 'destructive' })
  }
}
