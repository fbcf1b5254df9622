import { ApiError } from './api.ts'

/** Whether the API answered 404: the resource does not exist, or this account may not see it. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404
