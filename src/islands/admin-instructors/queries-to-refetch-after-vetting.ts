/** The queries that return an instructor's vetting status and checks. Refetch them after each decision about an instructor. */
export const QUERIES_TO_REFETCH_AFTER_VETTING = ['GET /api/admin/instructors', 'GET /api/admin/instructors/{instructor}'] as const
