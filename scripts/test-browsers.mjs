/**
 * `npm run browsers [engine…] [-- --screens]`: runs the main user journey, from registration to the audit, in Chromium, Firefox and WebKit.
 * Installs Debian's browser packages if permitted; reports and skips an engine that is unavailable. With `--screens`, screenshots of twelve
 * states go to test-results/browsers, side by side for all engines.
 */
import { buildPages } from './build-pages.mjs'
import { CHROMIUM_SHELL_DEBIAN_PACKAGE, findFirefox, findHeadlessChromium, findWebkitDriver, hasWebkitCodecs } from './find-browsers.mjs'
import { installDebianPackages } from './install-debian-packages-as-root.mjs'
import { installNpmPackages } from './install-npm-packages.mjs'
import { exitWithError, hasProgram, packageBinPath, printStep, programEnv, runProgramForExitCode } from './run-external-program.mjs'

/** For each engine, the Debian packages that it needs, and whether it is installed. */
const engines = {
  chromium: { isInstalled: findHeadlessChromium, packages: [CHROMIUM_SHELL_DEBIAN_PACKAGE] },
  firefox: { isInstalled: findFirefox, packages: ['firefox-esr'] },
  webkit: {
    isInstalled: () => findWebkitDriver() && hasWebkitCodecs(),
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth', ...['plugins-good', 'plugins-bad', 'libav', 'gl'].map(part => `gstreamer1.0-${part}`)],
  },
}
const screens = process.argv.includes('--screens') || process.env.SCREENS ? ['--screens'] : []
const named = process.argv.slice(2).filter(word => word !== '--screens')
const wanted = named.length ? named : Object.keys(engines)
const unknown = wanted.find(name => !(name in engines))
if (unknown) exitWithError(`There is no engine named ${unknown}. There are: ${Object.keys(engines).join(', ')}.`)

await installNpmPackages()
await buildPages()
// The tests create their clips with ffmpeg, and Firefox plays H.264 with ffmpeg's libraries.
if (!hasProgram('ffmpeg')) await installDebianPackages('ffmpeg')
const available = []
for (const name of wanted) {
  const { isInstalled, packages } = engines[name]
  if (!isInstalled()) await installDebianPackages(...packages)
  if (isInstalled()) available.push(name)
  else printStep(`${name} is left out: it is not installed and could not be. sudo apt-get install ${packages.join(' ')}`)
}
if (available.length === 0) exitWithError('No engine is installed.')
process.exit(
  await runProgramForExitCode(packageBinPath('node'), ['tests/browsers/run-journey.ts', ...screens, ...available], { env: programEnv }),
)
