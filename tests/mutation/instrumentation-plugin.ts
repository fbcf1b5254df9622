import { readFileSync, writeFileSync } from 'node:fs'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { Plugin } from 'vitest/config'
import { strykerPlugins } from './ignore-logging.mjs'

/** A report in Stryker's format, with the fields that `report-score.ts` and readers of the survivors need. */
export interface MutationReport {
  files: Record<string, { mutants: { id: string; status: string; replacement?: string; location: { start: { line: number } } }[] }>
}

const silentLog = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} }

/**
 * Instruments one file with all its mutants. Only the mutant that `globalThis.__stryker__.activeMutant` names is active; at first, none is.
 * Also creates the report.
 */
export const instrumentationPlugin = (root: string, path: string, report: string): Plugin => ({
  name: 'mutants',
  enforce: 'pre',
  async transform(_, id) {
    if (id.split('?')[0] !== `${root}/${path}`) return
    const content = readFileSync(`${root}/${path}`, 'utf8')
    const options = { plugins: [], excludedMutations: [], ignorers: strykerPlugins.map(p => p.value), noHeader: false }
    const { files, mutants } = await new Instrumenter(silentLog as never).instrument(
      [{ name: path, mutate: true, content }],
      options as never,
    )
    const begun = mutants.map(m => ({ ...m, status: m.status ?? 'NoCoverage' }))
    writeFileSync(report, JSON.stringify({ files: { [path]: { mutants: begun } } } satisfies MutationReport))
    return { code: files[0]!.content, map: null }
  },
})
