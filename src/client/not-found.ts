import { ApiError } from './api.ts'

/** Whether the API answered 404: the thing does not exist, or not for this account. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404
