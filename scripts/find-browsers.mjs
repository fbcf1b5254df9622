/** Where the browsers of this machine are. Debian's packages are preferred because its Chromium plays H.264. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian's Chromium without a window: it starts and draws in half the time of the whole browser. */
export const CHROMIUM_SHELL_PACKAGE = 'chromium-headless-shell'
const CHROMIUM_PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome']

/** The first of `programs` (names on the path, or absolute paths) that exists, or undefined. */
const findProgram = programs =>
  programs
    .flatMap(program => (program.startsWith('/') ? [program] : process.env.PATH.split(delimiter).map(dir => join(dir, program))))
    .find(path => existsSync(path))

/** Chromium with a window, for Lighthouse; undefined where only Playwright's own may be installed. `CHROMIUM` names another. */
export const findWindowedChromium = () => process.env.CHROMIUM || findProgram(CHROMIUM_PROGRAMS)

/** Chromium's headless shell, else the whole browser; undefined as above. */
export const findHeadlessChromium = () => process.env.CHROMIUM || findProgram([CHROMIUM_SHELL_PACKAGE, ...CHROMIUM_PROGRAMS])

export const hasHeadlessShell = () => Boolean(process.env.CHROMIUM || findProgram([CHROMIUM_SHELL_PACKAGE]))

export const findFirefox = () => findProgram(['firefox-esr', 'firefox'])

const libraryDirectory = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`

/** WebKitGTK's MiniBrowser. It has no headless mode, so it counts as found only where `xvfb-run` can give it a screen. */
export const findMiniBrowser = () =>
  findProgram(['xvfb-run']) && findProgram(['4.1', '4.0', '6.0'].map(version => `${libraryDirectory}/webkit2gtk-${version}/MiniBrowser`))

/** WebKit's WebDriver server, where everything that it needs is installed. */
export const findWebkitDriver = () => findProgram(['xauth']) && findMiniBrowser() && findProgram(['WebKitWebDriver'])

/**
 * Whether WebKitGTK plays H.264 as it does on a desktop: by GStreamer's libav plugin, with the parser and the OpenGL sink that a desktop
 * installation brings. Both change which frame a seek finds and whether it is painted, so tests without them would prove less.
 */
export const hasWebkitCodecs = () =>
  ['libav', 'videoparsersbad', 'opengl'].every(plugin => existsSync(`${libraryDirectory}/gstreamer-1.0/libgst${plugin}.so`))
