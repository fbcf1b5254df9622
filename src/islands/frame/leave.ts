import { checkSession, dashboardOf, maybeSignedIn } from '../../client/session.ts'

/** Who is signed in already goes to their dashboard, after 50 ms. */
if (maybeSignedIn()) {
  checkSession().then(
    user => user && setTimeout(() => location.replace(dashboardOf(user.role)), 50),
    () => {},
  )
}
