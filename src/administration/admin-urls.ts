export const personPagePath = (person: string) => `/admin/people/${person}`
/** The support screen filtered to this request. */
export const supportRequestPagePath = (request: string) => `/admin/support-management?request=${request}`
