/** Whether a path is that of a family page, where a guardian uses their own cards and the API's endpoints for guardians. */
export const isFamilyPage = (path: string) => path.startsWith('/family')
