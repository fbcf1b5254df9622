export const personPage = (person: string) => `/admin/people/${person}`
/** The support screen with this request alone. */
export const requestPage = (request: string) => `/admin/support-management?request=${request}`
