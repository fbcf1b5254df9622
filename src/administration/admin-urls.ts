export const personPageUrl = (person: string) => `/admin/people/${person}`
/** The support screen filtered to this request. */
export const supportRequestPageUrl = (request: string) => `/admin/support-management?request=${request}`
