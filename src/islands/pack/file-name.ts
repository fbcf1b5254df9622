/** A name without the signs that some system does not write in one. */
export const fileName = (name: string) => name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_')
