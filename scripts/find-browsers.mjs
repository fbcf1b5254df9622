/** Finds the browsers on this machine. Scripts prefer Debian's Chromium to Playwright's, because Debian's plays H.264. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian's headless Chromium, which starts and renders in half the time of the full browser. */
export const CHROMIUM_SHELL_DEBIAN_PACKAGE = 'chromium-headless-shell'
const CHROMIUM_PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome']

/** The first of `programs` (names on the PATH, or absolute paths) that exists, or undefined. */
const findProgram = programs =>
  programs
    .flatMap(program => (program.startsWith('/') ? [program] : process.env.PATH.split(delimiter).map(dir => join(dir, program))))
    .find(path => existsSync(path))

/** The path of a Chromium with a window, for Lighthouse; undefined if none is installed. `CHROMIUM` overrides it. */
export const findHeadedChromium = () => process.env.CHROMIUM || findProgram(CHROMIUM_PROGRAMS)

/** The path of Chromium's headless shell, otherwise of the full browser; undefined if neither is installed. `CHROMIUM` overrides it. */
export const findHeadlessChromium = () => process.env.CHROMIUM || findProgram([CHROMIUM_SHELL_DEBIAN_PACKAGE, ...CHROMIUM_PROGRAMS])

export const hasHeadlessShell = () => Boolean(process.env.CHROMIUM || findProgram([CHROMIUM_SHELL_DEBIAN_PACKAGE]))

export const findFirefox = () => findProgram(['firefox-esr', 'firefox'])

const libraryDirectory = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`

/** WebKitGTK's MiniBrowser. It has no headless mode, so it counts as found only if `xvfb-run` can provide a display. */
export const findMiniBrowser = () =>
  findProgram(['xvfb-run']) && findProgram(['4.1', '4.0', '6.0'].map(version => `${libraryDirectory}/webkit2gtk-${version}/MiniBrowser`))

/** WebKit's WebDriver server, if everything it needs is installed. */
export const findWebkitDriver = () => findProgram(['xauth']) && findMiniBrowser() && findProgram(['WebKitWebDriver'])

/**
 * Whether WebKitGTK plays H.264 as on a desktop: with GStreamer's libav plugin, and the parser and OpenGL sink of a desktop installation.
 * Both affect which frame a seek finds and whether it is painted, so tests without them would prove less.
 */
export const hasWebkitCodecs = () =>
  ['libav', 'videoparsersbad', 'opengl'].every(plugin => existsSync(`${libraryDirectory}/gstreamer-1.0/libgst${plugin}.so`))
