export const personPage = (person: string) => `/admin/people/${person}`
/** The support screen filtered to this request. */
export const requestPage = (request: string) => `/admin/support-management?request=${request}`
