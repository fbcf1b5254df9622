import { ApiError } from './api.ts'

/** What was asked for does not exist, or not for whoever asked. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404
