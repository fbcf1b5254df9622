import latin from '@fontsource/archivo/files/archivo-latin-400-normal.woff?url'
import latinBold from '@fontsource/archivo/files/archivo-latin-700-normal.woff?url'
import extended from '@fontsource/archivo/files/archivo-latin-ext-400-normal.woff?url'
import extendedBold from '@fontsource/archivo/files/archivo-latin-ext-700-normal.woff?url'
import type { PdfFontFiles } from './pdf-text.ts'

/**
 * Fetches the fonts for the feedback PDF.
 * @throws TypeError if they cannot be fetched
 */
export async function fetchPdfFontFiles(): Promise<PdfFontFiles> {
  const fetchAll = (addresses: string[]) => Promise.all(addresses.map(async address => (await fetch(address)).arrayBuffer()))
  const [regular, bold] = await Promise.all([fetchAll([latin, extended]), fetchAll([latinBold, extendedBold])])
  return { regular, bold }
}
