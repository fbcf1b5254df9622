import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ChildFolders } from '../../../src/islands/family-child/ChildFolders.tsx'
import { PreloadedPageDataContext } from '../../../src/page-load/preloaded-page-data-context.ts'

const leo = { id: 'leo', firstName: 'Leo', consent: 'given', agreed: true } as never

/** Renders the folders of a child who has archived this many, and no others. Returns the text without the markup. */
function textWithArchived(archived: number) {
  const list = { folders: [], next: null, total: 0, archived, reviewers: [], instructors: [] }
  const answers = { '/api/family/children/leo/folders': list }
  return renderToString(
    <PreloadedPageDataContext value={{ renderedAt: 0, timeZone: 'UTC', readMarks: '', address: '/family/children/leo', answers }}>
      <ChildFolders child={leo} />
    </PreloadedPageDataContext>,
  ).replaceAll(/<!-- -->|<[^>]*>/g, '')
}

test('a guardian sees that the child has archived folders', () => {
  const text = textWithArchived(2)
  expect(text).toContain('Archived (2)')
  expect(text).not.toContain('No folders yet')
})

test('a guardian of a child without folders reads that there are none', () => {
  const text = textWithArchived(0)
  expect(text).toContain('No folders yet')
  expect(text).not.toContain('Archived')
})
