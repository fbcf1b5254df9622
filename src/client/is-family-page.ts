/** Whether a path belongs to the family pages, where a guardian pays with their own cards and API calls. */
export const isFamilyPage = (path: string) => path.startsWith('/family')
