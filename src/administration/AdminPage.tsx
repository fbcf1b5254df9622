import type { ReactNode } from 'react'
import { ProtectedPage } from '../shell/ProtectedPage.tsx'
import { AdminSearch } from './AdminSearch.tsx'

/** The layout of every administrator screen, with the search on top. */
export const AdminPage = ({ children }: { children: ReactNode }) => (
  <ProtectedPage role="admin">
    {() => (
      <>
        <AdminSearch />
        {children}
      </>
    )}
  </ProtectedPage>
)
