import type { ReactNode } from 'react'
import { Protected } from '../shell/Protected.tsx'
import { AdminSearch } from './AdminSearch.tsx'

/** The frame of every screen for administrators: the search above the screen itself. */
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
