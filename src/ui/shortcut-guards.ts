/** Types of inputs that take no text, so letters remain shortcuts while one of them has the focus. */
const TEXTLESS_INPUT_TYPES = ['range', 'radio', 'checkbox']

/** Whether keys type text into this element, or choose one of its options by letter, so they must not act as shortcuts. */
export function isTextEntry(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const { tagName, isContentEditable } = target
  if (tagName === 'INPUT') return !TEXTLESS_INPUT_TYPES.includes((target as HTMLInputElement).type)
  return isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT'
}

/**
 * Whether a dialog covers the page. Checks only the children of the body, where dialogs are mounted, because searching a long page on every
 * key press would be slow.
 */
export const isDialogOpen = (): boolean => [...document.body.children].some(element => element.matches('[role=dialog]'))
