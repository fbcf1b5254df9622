import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { makeZip } from 'client-zip'
import { addDays } from '../../modules/dates.ts'
import { derivedId, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { dataExportKey } from '../../modules/media/object-keys.ts'
import { accountDecider, loadAccountPrivacyState } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { DATA_EXPORT_DAYS } from '../../modules/privacy/policy.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import type { PdfFontFiles } from '../download/pdf-text.ts'
import { assertReadModelsReachedPosition } from './assert-read-models-reached-position.ts'
import { dataExportContents } from './data-export-contents.ts'

const READ_MODELS = ['folders', 'assignments', 'approvals', 'requests', 'payments', 'purchases', 'ratings']

/** The fonts for printed feedback, from the package that also provides them to browsers. */
async function readPdfFontFiles(): Promise<PdfFontFiles> {
  const { resolve } = createRequire(import.meta.url)
  const weight = (bold: boolean) =>
    Promise.all(
      ['latin', 'latin-ext'].map(async letters => {
        const bytes = await readFile(resolve(`@fontsource/archivo/files/archivo-${letters}-${bold ? 700 : 400}-normal.woff`))
        return new Uint8Array(bytes).buffer
      }),
    )
  return { regular: await weight(false), bold: await weight(true) }
}

/** Errand handlers that make the files with all data about a person, and delete them when they expire. All are idempotent. */
export function dataExportErrandHandlers(deps: AppDependencies) {
  const { store, objects, clock, readModels } = deps
  interface Asked {
    person: string
    export: string
  }
  return {
    'export.make': async ({ person, export: id, position }: Asked & { position: string }) => {
      const isAsked = (await loadAccountPrivacyState(store, person)).exports.some(e => e.id === id && !e.made)
      if (!isAsked) return
      await assertReadModelsReachedPosition(readModels, READ_MODELS, position)
      const key = dataExportKey(person, id)
      // The ZIP file is streamed entry by entry, so that only a part of one video is in memory.
      const zip = makeZip(dataExportContents(deps, person, await readPdfFontFiles()))
      const bytes = await objects.putStream(key, 'application/zip', zip)
      const until = addDays(clock(), DATA_EXPORT_DAYS).toISOString()
      await handleCommand(
        store,
        accountDecider,
        person,
        'finishExport',
        { export: id, bytes, until },
        systemCommandSource(derivedId(id, 'finish')),
      )
      if (!(await loadAccountPrivacyState(store, person)).exports.some(e => e.id === id && e.made)) await objects.remove(key)
    },
    'export.remove': ({ person, export: id }: Asked) => objects.remove(dataExportKey(person, id)),
  }
}
