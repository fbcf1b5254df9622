/** The queries that return an instructor's vetting status and checks. Refetch them after each decision about an instructor. */
export const INSTRUCTOR_VETTING_QUERIES = ['GET /api/admin/instructors', 'GET /api/admin/instructors/{instructor}'] as const
