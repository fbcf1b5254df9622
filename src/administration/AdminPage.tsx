import type { ReactNode } from 'react'
import { Protected } from '../shell/Protected.tsx'
import { AdminSearch } from './AdminSearch.tsx'

/** The layout of every administrator screen, with the search on top. */
export const AdminPage = ({ children }: { children: ReactNode }) => (
  <Protected role="admin">
    {() => (
      <>
        <AdminSearch />
        {children}
      </>
    )}
  </Protected>
)
