import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DeliveredSection } from '../../../src/islands/queue/DeliveredSection.tsx'
import { searchLoadingOrNoMatchText } from '../../../src/islands/queue/sort-and-search-queue.ts'

const nothingFound = { isLoading: false, matches: 0, hasMoreWaiting: false, hasMoreDelivered: false }
const renderWithoutMatch = (more: (() => void) | undefined) =>
  renderToString(<DeliveredSection rows={[]} total={120} search="Ana" paging={{ more, busy: false, message: undefined }} />)

test('a search without a match offers to search the delivered sessions not loaded yet', () => {
  expect(renderWithoutMatch(() => {})).toContain('Search older sessions')
  expect(renderWithoutMatch(undefined)).not.toContain('Search older sessions')
})

test('the queue says that nothing matches only once every session has been searched', () => {
  expect(searchLoadingOrNoMatchText('Ana', nothingFound)).toBe('No session matches “Ana”.')
  expect(searchLoadingOrNoMatchText('Ana', { ...nothingFound, hasMoreDelivered: true })).toBe('No session matches “Ana” so far.')
  expect(searchLoadingOrNoMatchText('Ana', { ...nothingFound, matches: 1 })).toBeUndefined()
})
