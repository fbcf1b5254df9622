/**
 * `npm run mutate [path…]`: creates mutants (Stryker) of one of our folders or files, runs the tests nearest to each, lists the
 * mutants that survive, and stores the mutation score in bench/RESULTS.md. Mutants whose code and tests have not changed are skipped;
 * `--force` runs everything. Other flags go to Stryker; `--tests 'pattern …'` chooses the tests. Put flags after `--`, because npm takes
 * those before it as its own. A decider's file takes a minute or two, and a whole room with its part of the API takes an hour.
 * The tests of a single handler (`src/api/x.ts`) start their server once instead of once per mutant, which is ten times as fast; code that
 * runs while such a file is loaded is not checked. `--once` also runs the tests of any other single file in one process. `--restart`
 * restarts the tests' server for each mutant in the same process, for tests that cannot be repeated; `--each` uses a new process for each
 * mutant.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { installNpmPackages, installNpmPackagesIn } from '../../scripts/install-npm-packages.mjs'
import { exitWithError, packageBinPath, programEnv, projectRoot, runProgramForExitCode } from '../../scripts/run-external-program.mjs'

const INFRASTRUCTURE = ['modules/kernel', 'modules/jobs', 'modules/readers']
const rooms = ['modules/accounts', 'modules/folders', 'modules/media', 'modules/payments', 'modules/rewards', 'src/api', ...INFRASTRUCTURE]
const argv = process.argv.slice(2)
const at = argv.indexOf('--tests')
const [, tests] = at < 0 ? [] : argv.splice(at, 2)
const isPath = arg => /^(modules|src|projections)\//.test(arg)
const ownFlags = ['--each', '--once', '--restart']
const [startsProcessPerMutant, runsInOneProcess, restartsForEachMutant] = ownFlags.map(flag => argv.includes(flag))
const flags = argv.filter(arg => !isPath(arg) && !ownFlags.includes(arg))
const paths = argv.filter(isPath).map(path => path.replace(/\/$/, ''))

/** The tests of some files and folders, to run instead of those that import the file. */
const TESTS_BY_SOURCE = {
  'modules/accounts/credential-changes': 'api/accounts-* api/account-settings',
  'modules/accounts/payer': 'api/family-consent api/guardian-change api/family-money',
  'modules/format-cents-and-counts': 'ui/format administration/event-sentences',
  'modules/random-code': 'modules/rewards/referral-codes-table modules/instructors/slugs-and-invite-codes',
  'modules/folders/held-deliveries': 'api/feedback-deliveries',
  'modules/jobs/outbox': 'jobs/outbox-*',
  'modules/instructors/instructor-profile-and-connection-tables': 'api/instructors',
  'modules/letters/resend-account-check': 'doctor/resend-account-check',
  'modules/leads/lead-table': 'api/leads',
  'modules/leads/blocked-email-domains': 'modules/leads/disposable-email api/leads',
  'modules/readers/deliver-batch': 'readers/subscriptions* readers/projection-runner-*',
  'modules/readers/subscriptions': 'readers/subscriptions* readers/truncated-log',
  'modules/kernel/process': 'kernel/errand-ids readers/event-process-runner',
  'modules/readers/event-process-runner': 'readers/event-process-runner readers/truncated-log api/parked-streams',
  'modules/kernel/projection': 'kernel/create-row-or-throw readers/projection-runner-*',
  'modules/readers/projection-runner': 'readers/projection-runner-*',
  'modules/kernel/stores/memory': 'kernel/memory-store-contract',
  'modules/kernel/stores/postgres': 'kernel/postgres',
  'modules/media/preparation-process/media-engine': 'modules/media/missing-media-engine modules/media/prepare-media',
  'modules/media/preparation-process/render-rendition':
    'modules/media/media-engine modules/media/render-missing-frames modules/media/renditions modules/media/external-references',
  'modules/media/preparation-process/read-container-file':
    'modules/media/read-container-file modules/media/capture-rate-metadata modules/media/prepare-media',
  'modules/media/preparation-process/media-refusal': 'modules/media/rendition-and-still-settings modules/media/read-container-file',
  'modules/media/preparation-process/frame-parity': 'modules/media/rendition-and-still-settings',
  'modules/media/preparation-process/protocol': 'modules/media/prepare-media',
  'modules/media/read-container': 'modules/media/read-container modules/media/capture-rate-metadata',
  'modules/media/object-store': 'modules/media/object-store modules/media/object-store-responses',
  'modules/media/parse-preparation-message': 'modules/media/parse-preparation-message modules/media/media-worker-with-fake-preparation',
  'modules/media/sandbox': 'modules/media/sandbox modules/media/supervise-preparation',
  'modules/media/supervise-preparation': 'modules/media/supervise-preparation',
  'modules/media/storage-sweeper': 'modules/media/storage-sweeper',
  'modules/media/file-transfer-main': 'modules/media/file-transfer-child-process',
  'modules/media/validate-webm-and-read-duration':
    'modules/media/validate-video-* modules/media/check-video-type-and-completeness-refusals',
  'modules/media/media-worker': 'modules/media/media-worker modules/media/preparation-outcomes modules/media/media-worker-job-claims',
  'modules/payments/stripe-customer-and-saved-cards': 'modules/payments/stripe-customer-and-saved-cards modules/payments/*-scenarios',
  'modules/payments/errand-handlers': 'modules/payments/errand-handlers modules/payments/*-scenarios',
  'modules/payments/charge-failure-messages': 'modules/payments/charge-failure-messages',
  'modules/payments/gateway': 'stripe/gateway',
  'modules/payments/record-package-sale-and-perform-refund':
    'modules/payments/record-package-sale-and-perform-refund modules/payments/*-scenarios',
  'modules/payments/refund-and-dispute-state':
    'modules/payments/refund-and-dispute-state modules/payments/payment-decider-refunds modules/payments/package-purchase',
  'modules/payments/stripe/platform-account-check': 'doctor/stripe-platform-account-check',
  'modules/payments/stripe/webhook-verification': 'stripe/webhook-check-and-sandbox-webhooks api/stripe-webhook',
  'modules/payments/stripe': 'stripe/gateway* stripe/sandbox-pages',
  'modules/payments/event-sentences': 'administration/event-sentences modules/payments/event-sentences',
  'modules/privacy/encrypted-store': 'modules/privacy/encrypted-store',
  'modules/privacy/encrypt-event-texts': 'modules/privacy/encrypted-store modules/audit/verify-export',
  'modules/phrases/phrase-table': 'api/phrases',
  'modules/privacy/get-and-set-texts-by-path': 'modules/privacy/get-and-set-texts-by-path modules/privacy/encrypted-store',
  'modules/rewards/referral-codes-table': 'modules/rewards/referral-codes-table',
  'modules/sharing/review-links': 'api/sharing',
  'src/api/access': 'api/access api/family-folders',
  'src/api/account-deletion':
    'api/account-deletion api/child-account-deletion-by-guardian api/account-closing-by-administrator api/delete-data-past-retention',
  'src/api/login-registration-and-recovery': 'api/accounts-*',
  'src/api/admin-search': 'api/admin-search-and-person-page api/pagination',
  'src/api/assignment-payment-reservation': 'api/assignment-payment-reservation api/credit-reservations',
  'src/api/audit-log-and-system-state': 'api/audit api/parked-streams',
  'src/api/cards-and-bill-payments': 'api/payments-cards-and-packages api/payments api/payments-provider-errors',
  'src/api/clip-presenter': 'api/folder-presenter api/model-clips api/video-preparation api/folder-session-access',
  'src/api/family-consent': 'api/family-consent api/guardian-change api/guardian-login api/sharing',
  'src/api/check-and-retain-compared-clips': 'api/comparisons api/folder-session-access',
  'src/api/latest-technique-positions': 'api/latest-technique-positions',
  'src/api/family-folders': 'api/family-folders api/instructor-checks-and-status-shown-to-families',
  'src/api/feedback-deliveries': 'api/feedback-deliveries api/comparisons api/progress',
  'src/api/folder-list': 'api/folders api/pagination api/family-folders',
  'src/api/folder-presenter': 'api/folder-presenter api/folder-session-access api/family-folders api/feedback-deliveries',
  'src/api/folder-reply-with-session': 'api/folder-session-access api/folder-presenter',
  'src/api/folders':
    'api/folders api/review-workflow api/folder-session-access api/progress api/latest-technique-positions api/comparisons api/video-preparation',
  'src/api/guardian-change': 'api/guardian-change-by-administrator api/guardian-change',
  'src/api/guardian-consent-and-sign-in':
    'api/accounts-registration api/family-consent api/guardian-change* api/guardian-login api/account-deletion api/child-account-deletion-by-guardian api/family-money-refusals',
  'src/api/instructor-queue': 'api/review-workflow api/pagination',
  'src/api/instructor-reachability': 'api/instructor-reachability api/instructors',
  'src/api/instructors': 'api/instructors api/pagination',
  'src/api/landing-page-leads-and-noscript-email-step': 'api/leads api/rate-limits',
  'src/api/package-purchase': 'api/payments-packages api/payments-package-sales-and-refunds api/family-money',
  'src/api/password-confirmation-and-strength': 'api/accounts-guessable-passwords api/account-settings api/accounts-login api/login-floods',
  'src/api/rate-limits': 'api/rate-limit-counting',
  'src/api/admin-media-jobs': 'api/admin-media-jobs api/video-preparation',
  'src/api/admin-person': 'api/admin-search-and-person-page api/payouts api/account-closing-by-administrator',
  'src/api/openapi': 'api/openapi',
  'src/api/payments': 'api/payments-provider-errors api/payments-package-sales-and-refunds api/payments-wallet-and-payouts',
  'src/api/problem': 'api/problem',
  'src/api/instructor-email-confirmation-letters': 'api/instructor-email-confirmation-letters',
  'src/api/delivered-session-for-guests': 'api/delivered-session-for-guests api/model-clips api/sharing',
  'src/api/preparation-results': 'api/folder-session-access',
  'src/api/routing': 'api/routing api/cookies',
  'src/api/reader-status': 'api/audit api/parked-streams',
  'src/api/uploads': 'api/uploads api/upload-limits-discards-and-interruptions api/model-clips',
  'src/api/vetting': 'api/vetting api/emailed-link-retries api/instructor-reachability',
}

/**
 * The tests of a file are those in TESTS_BY_SOURCE, otherwise those that import it, directly or through a helper in the same directory; if
 * there are none, those of its module.
 */
function testsOf(path) {
  const file = path.split(':')[0]
  const named = TESTS_BY_SOURCE[file.replace(/\.ts$/, '')] ?? TESTS_BY_SOURCE[dirname(file)]
  if (named) return named.replaceAll(/\S+/g, 'tests/$&.test.ts')
  const imports = test =>
    [...readFileSync(join(projectRoot, test), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, to]) =>
      relative(projectRoot, join(projectRoot, dirname(test), to)),
    )
  const beside = test => imports(test).filter(to => dirname(to) === dirname(test) && existsSync(join(projectRoot, to)))
  const near = globSync('tests/{kernel,jobs,readers,modules,projections}/**/*.test.{ts,tsx}', { cwd: projectRoot }).filter(test =>
    [test, ...beside(test)].some(one => imports(one).includes(file)),
  )
  return near.length ? near.join(' ') : testsOfModule(path)
}

/** A module's tests are those in its own test folders and those of its part of the API; a handler's tests are only the latter. */
function testsOfModule(path) {
  const handles = path.startsWith('src/api/')
  const noun = handles ? basename(path.split(':')[0], '.ts') : path.split('/')[1]
  const near = [`tests/api/${noun}*.test.ts`]
  if (!handles) near.push(`tests/${noun}/**/*.test.ts`, `tests/modules/${noun}/**/*.test.ts*`)
  if (noun === 'payments') near.push('tests/stripe/**/*.test.ts')
  if (noun === 'media') near.push('tests/api/uploads*.test.ts')
  if (noun === 'accounts') near.push('tests/api/rate-limits.test.ts', 'tests/api/role-matrix.test.ts')
  // Every request passes through these files. Others of this kind, such as `routing`, have their own lists in TESTS_BY_SOURCE.
  if (/^src\/api(\/(cookies|index|request-body)\.ts|$)/.test(path)) near.push('tests/api/**/*.test.ts')
  return near.join(' ')
}

/** Tries all mutants of one file in a single process; the report has Stryker's format. */
async function runInOneProcess(path, report, testPatterns) {
  const given = {
    MUTATE_STARTED: path,
    MUTATE_REPORT: join(projectRoot, report),
    MUTATE_TESTS: testPatterns,
    MUTATE_RESTART: String(restartsForEachMutant),
  }
  const code = await runProgramForExitCode(packageBinPath('vitest'), ['run', '--config', 'tests/mutation/vitest.config.ts'], {
    env: { ...programEnv, ...given },
  })
  const lines = readFileSync(join(projectRoot, path), 'utf8').split('\n')
  const { mutants } = JSON.parse(readFileSync(join(projectRoot, report), 'utf8')).files[path]
  for (const { status, location, replacement } of mutants) {
    const { line } = location.start
    if (['Survived', 'NoCoverage'].includes(status))
      console.log(`[${status}] ${path}:${line + 1}\n-   ${lines[line].trim()}\n+   ${replacement}`)
  }
  return code
}

await installNpmPackages()
await installNpmPackagesIn('tests/mutation')
mkdirSync(join(projectRoot, 'reports/mutation'), { recursive: true })
// One shared Postgres server, because each of Stryker's processes would start its own.
const postgresProcess = spawn(packageBinPath('node'), ['--import', 'tsx', 'tests/support/run-postgres-until-stdin-ends.ts'], {
  cwd: projectRoot,
  env: programEnv,
  stdio: ['pipe', 'pipe', 'inherit'],
})
const [database] = await once(postgresProcess.stdout, 'data')
programEnv.TEST_DATABASE_URL ??= String(database).trim()
// With a mutant active, code that deletes its temporary files may delete all temporary files, so it gets its own directory.
programEnv.TMPDIR = mkdtempSync(join(tmpdir(), 'mutate-'))
let worst = 0
for (const path of paths.length ? paths : rooms) {
  const file = path.split(':')[0]
  if (!existsSync(join(projectRoot, file))) exitWithError(`There is no ${file}.`)
  const testPatterns = tests ?? testsOf(path)
  // Without this check, a pattern that matches nothing would make every test run for each mutant.
  if (!testPatterns.split(' ').some(pattern => globSync(pattern, { cwd: projectRoot }).length))
    exitWithError(`No test is known for ${path}. Name its tests in TESTS_BY_SOURCE, or with --tests.`)
  const name = path.replaceAll(/[/:]/g, '-')
  const incrementalFile = `reports/mutation/${name}.json`
  const wanted = statSync(join(projectRoot, file)).isDirectory() ? `${file}/**/*.{ts,tsx}` : path
  const stryker = [
    join(projectRoot, 'tests/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'),
    'run',
    'tests/mutation/stryker.config.mjs',
    '--mutate',
    wanted,
    '--incrementalFile',
    incrementalFile,
  ]
  const inOne =
    path === file &&
    statSync(join(projectRoot, file)).isFile() &&
    (runsInOneProcess || restartsForEachMutant || (/^src\/api\/[\w-]+\.ts$/.test(path) && !startsProcessPerMutant))
  const report = inOne ? `reports/mutation/${name}.once.json` : incrementalFile
  const code = inOne
    ? await runInOneProcess(path, report, testPatterns)
    : await runProgramForExitCode(packageBinPath('node'), [...stryker, ...flags], { env: { ...programEnv, MUTATE_TESTS: testPatterns } })
  worst = Math.max(worst, code)
  if (code === 0)
    worst = Math.max(
      worst,
      await runProgramForExitCode(packageBinPath('node'), ['--import', 'tsx', 'tests/mutation/report-score.ts', path, report], {
        env: programEnv,
      }),
    )
}
postgresProcess.stdin.end()
await once(postgresProcess, 'exit')
rmSync(programEnv.TMPDIR, { recursive: true, force: true })
process.exit(worst)
