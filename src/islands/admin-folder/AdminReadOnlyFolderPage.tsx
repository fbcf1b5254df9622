import { personPagePath } from '../../administration/admin-urls.ts'
import { ProtectedAdminPage } from '../../administration/ProtectedAdminPage.tsx'
import { ReadOnlyFolderPage } from '../../feedback/ReadOnlyFolderPage.tsx'

const overview = { href: '/admin/dashboard', label: 'Overview' }

const PersonLink = ({ id, name }: { id: string; name: string }) => (
  <a className="link inline-flex min-h-11 items-center" href={personPagePath(id)}>
    {name}
  </a>
)

/** A folder in an administrator's read-only view: everything that its player and its instructors see, without buttons that change it. */
export default () => (
  <ProtectedAdminPage>
    <ReadOnlyFolderPage
      viewer="admin"
      people={({ player, session }) => (
        <>
          <PersonLink {...player} />
          {session && (
            <>
              {' with '}
              <PersonLink {...session.instructor} />
            </>
          )}
        </>
      )}
      related={folder => ({ href: `/admin/dashboard?folder=${folder.id}`, label: 'Event log' })}
      back={() => overview}
      missing="The link may be incomplete."
      home={overview}
    />
  </ProtectedAdminPage>
)
