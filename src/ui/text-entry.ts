/** Whether keys that are pressed in this element enter text or choose from a list, so that they must not act as shortcuts. */
export const isTextEntry = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !target.matches('[type=range], [type=radio], [type=checkbox]')))
