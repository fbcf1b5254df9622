/** Where Firefox and WebKit are on this machine, as Debian packs them. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const found = (...programs) =>
  programs.flatMap(p => (p.startsWith('/') ? [p] : process.env.PATH.split(delimiter).map(dir => join(dir, p)))).find(existsSync)

export const firefox = () => found('firefox-esr', 'firefox')

/** WebKitGTK's own small browser. It has no mode without a screen: `xvfb-run` gives it one. */
export const miniBrowser = () =>
  found('xvfb-run') && found(...['4.1', '4.0', '6.0'].map(v => `/usr/lib/${machine()}-linux-gnu/webkit2gtk-${v}/MiniBrowser`))

export const webkitDriver = () => found('xauth') && miniBrowser() && found('WebKitWebDriver')

const machine = () => (process.arch === 'arm64' ? 'aarch64' : 'x86_64')

/**
 * WebKitGTK plays what GStreamer plays; its H.264 comes in a package of its own. What takes H.264 apart and what paints by OpenGL changes which
 * frame a seek finds and whether it is seen: they come with WebKit wherever somebody uses it, so they are here, too.
 */
export const webkitPlays = () =>
  ['libav', 'videoparsersbad', 'opengl'].every(plugin => existsSync(`/usr/lib/${machine()}-linux-gnu/gstreamer-1.0/libgst${plugin}.so`))
