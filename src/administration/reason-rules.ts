/** Rules of a form field in which an administrator gives a reason, for `register` of React Hook Form. */
export const reasonRules = (maxLength: number) => ({
  validate: (text: string) => text.trim().length >= 3 || 'Say why',
  maxLength: { value: maxLength, message: `At most ${maxLength} characters` },
})
