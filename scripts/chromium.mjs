/** Where browsers are on this machine. Debian's play H.264; its shell has no window to draw and takes half the time of the whole browser. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const SHELL = 'chromium-headless-shell'
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome']
const found = names => names.flatMap(name => process.env.PATH.split(delimiter).map(dir => join(dir, name))).find(existsSync)

/** Chromium as people have it, for Lighthouse. Undefined: Playwright's own, if that is there. */
export const wholeChromium = () => process.env.CHROMIUM || found(WHOLE)

/** The shell; the whole browser where there is none. Undefined as above. */
export const headlessChromium = () => process.env.CHROMIUM || found([SHELL, ...WHOLE])

export const hasShell = () => Boolean(process.env.CHROMIUM || found([SHELL]))
