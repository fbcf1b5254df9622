import type { ReactNode } from 'react'
import { ProtectedPage } from '../shell/ProtectedPage.tsx'
import { AdminSearch } from './AdminSearch.tsx'

/**
 * The layout of every administrator screen, with the search at the top.
 * @param preloaded a `PreloadedPageData` as JSON, if the server rendered the page with its data
 */
export const ProtectedAdminPage = ({ preloaded, children }: { preloaded?: string | undefined; children: ReactNode }) => (
  <ProtectedPage role="admin" preloaded={preloaded}>
    {() => (
      <>
        <AdminSearch />
        {children}
      </>
    )}
  </ProtectedPage>
)
