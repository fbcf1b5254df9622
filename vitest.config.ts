import { defineConfig } from 'vitest/config'

/**
 * Tests that replace modules, or the timers or warnings of their process, so each file runs in its own process. All other tests share
 * processes, each of which loads packages only once; they must leave the modules that they import unchanged.
 */
const alone = [
  'tests/client/use-query-server-rendering.test.tsx',
  'tests/comparison/frame-decoder.test.ts',
  'tests/islands/review/{note-actions,studio-drawing,voice/studio-voice}.test.ts',
  'tests/kernel/{outage-logger,postgres}.test.ts',
  'tests/modules/media/{missing-media-engine,object-store-addressing,prepare-media}.test.ts',
  'tests/page-load/hydrate-after-paint.test.ts',
  'tests/server/database-synced-clock.test.ts',
  'tests/technique/capture-rate-editor.test.tsx',
]
/**
 * `npm run sweep` runs these tests: slow ones (seconds each), which kill programs, wait for outages and limits, generate long histories,
 * rebuild read models or move the clock; and others that `npm test` leaves out to stay below nine minutes.
 */
const swept = [
  'tests/api/{account-closing-by-administrator,account-status-matrix,accounts-rate-limit-keys,bill-owed-by-former-guardian,data-export-feedback-pdf,data-export-contents-and-download,data-left-after-deletion,family-money-refusals,guardian-change,hanging-database,hidden-location-metadata,id-letter-case,instructor-reachability,files-written-after-account-deletion,login-floods,model-clips,letters-end-to-end,progress-memory-usage,rate-limits,rate-limits-by-account,resend-webhook,errands-while-provider-hangs,video-preparation}.test.ts',
  'tests/faults/{backup-commands,demo-data-and-demo-accounts,demo-on-eventstoredb,upload-to-payout-and-restored-log-on-eventstoredb,killed-server,killed-uploads,kill-during-appends,pgbouncer-transaction-mode,restore,rolling-upgrade}.test.ts',
  'tests/comparison/exact-comparison-frames.test.ts',
  'tests/doctor/doctor.test.ts',
  'tests/embedded/{embedded-services,postgres,s3-replaced-object}.test.ts',
  'tests/jobs/{outbox-retries,outbox-workers}.test.ts',
  'tests/kernel/{eventstoredb-on-fake-server,eventstoredb-contract}.test.ts',
  'tests/migrations/{adopt-existing-database,migrate}.test.ts',
  'tests/modules/media/{decompression-bombs,external-references,failed-preparation-tries,file-transfer-child-process,media-worker-with-fake-preparation,hdr-in-chromium,hostile-files,killed-preparations,longest-voice,outdated-renditions,short-and-long-work,uploads-sweeping,preparation-outcomes,media-engine,renditions,render-missing-frames,sandbox,supervise-preparation,media-worker,media-worker-job-claims,voice-uploads}.test.ts',
  'tests/modules/payments/generated-payment-histories.test.ts',
  'tests/review-video/{request-and-download-review-video,render-comparisons,render-review,write-printed-stills}.test.ts',
  'tests/readers/{leader-lease,projection-runner-many-servers,projection-runner-parked-streams,projection-runner-rebuild,subscriptions-catching-up,subscriptions-parking,truncated-log}.test.ts',
  'tests/server/{dev-server,main,profile-pages-and-public-page-cache}.test.ts',
  'tests/stripe/killed-sandbox.test.ts',
  'tests/time-travel/*.test.ts',
]
const never = ['tests/pages/**', '**/node_modules/**']

export default defineConfig({
  test: {
    globalSetup: 'tests/support/global-setup.ts',
    setupFiles: 'tests/support/lower-password-hash-cost.ts',
    pool: 'forks',
    // Use three workers even on two processors, because some tests only wait for a process to exit or a store to come back.
    maxWorkers: 3,
    // CI machines are shared and stall now and then, so one retry is allowed; a test that fails twice has found a bug.
    retry: process.env.CI ? 1 : 0,
    // These timeouts only end tests that hang. A busy machine makes tests slower, but must not make them fail.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ['tests/**/*.test.{ts,tsx}'], exclude: [...never, ...alone, ...swept], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'swept', include: swept } },
    ],
  },
})
