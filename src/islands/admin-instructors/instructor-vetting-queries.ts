/** The queries that show what administrators have decided about instructors: the list, and one instructor. */
export const INSTRUCTOR_VETTING_QUERIES = ['GET /api/admin/instructors', 'GET /api/admin/instructors/{instructor}'] as const
