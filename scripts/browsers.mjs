/**
 * `npm run browsers [engine…] [-- --screens]`: the main job, from registration to the audit, in Chromium, Firefox and WebKit. Brings Debian's
 * packages of them where it may; an engine that cannot be had is named and left out. With `--screens` pictures of twelve states go to
 * test-results/browsers, those of all engines side by side.
 */
import { headlessChromium, SHELL } from './chromium.mjs'
import { firefox, webkitDriver, webkitPlays } from './engines.mjs'
import { apt, bin, build, env, fail, has, install, run, say } from './ground.mjs'

/** What each needs of Debian, and how to know that it is there. */
const engines = {
  chromium: { there: headlessChromium, packages: [SHELL] },
  firefox: { there: firefox, packages: ['firefox-esr'] },
  webkit: {
    there: () => webkitDriver() && webkitPlays(),
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth', ...['plugins-good', 'plugins-bad', 'libav', 'gl'].map(part => `gstreamer1.0-${part}`)],
  },
}
const screens = process.argv.includes('--screens') || process.env.SCREENS ? ['--screens'] : []
const named = process.argv.slice(2).filter(word => word !== '--screens')
const wanted = named.length ? named : Object.keys(engines)
const unknown = wanted.find(name => !(name in engines))
if (unknown) fail(`There is no engine named ${unknown}. There are: ${Object.keys(engines).join(', ')}.`)

await install()
await build()
// It makes the clips, and with it comes the H.264 that Firefox plays.
if (!has('ffmpeg')) await apt('ffmpeg')
const here = []
for (const name of wanted) {
  const { there, packages } = engines[name]
  if (!there()) await apt(...packages)
  if (there()) here.push(name)
  else say(`${name} is left out: it is not here and could not be brought. sudo apt-get install ${packages.join(' ')}`)
}
if (here.length === 0) fail('None of the engines is here.')
process.exit(await run(bin('node'), ['tests/browsers/main.ts', ...screens, ...here], { env }))
