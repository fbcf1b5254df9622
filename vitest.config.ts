import { defineConfig } from 'vitest/config'

/** Tests that change no state of the modules they import. Their files share a process, so that packages are loaded only once. */
const together = [
  'tests/{api,client,events,islands,projections,specification,stripe,time-travel}/**/*.test.{ts,tsx}',
  'tests/{comparison,download,draft,drawing,feedback,folders,instructors,layouts,page-load,payments,player,profile,progress,review-video,technique,ui,upload,voice}/**/*.test.{ts,tsx}',
  'tests/embedded/{config,mailbox,loopback-port}.test.ts',
  'tests/support/sample-media.test.ts',
  'tests/kernel/{decider,eventstoredb,lost-connections,memory,process,projection,sleep,store,transient-errors}.test.ts',
  'tests/readers/{lagging-readers,subscriptions-*}.test.ts',
  'tests/modules/{accounts,folders,instructors,leads,letters,payments,progress,ratings,reviews,rewards,support}/**/*.test.{ts,tsx}',
  'tests/modules/media/{capture-rate,frames,media-work-*,object-keys,object-store,picture-encoding,preparation-limit-meter,read-container,sound-filters,storage-sweeper,validate-video-*,read-ahead-reader}.test.ts',
  'tests/modules/concurrency-limit.test.ts',
  'tests/server/logging.test.ts',
]
/** Slow tests (seconds each), which kill and restart whole programs or push them to their limits. `npm run sweep` runs them. */
const swept = [
  'tests/api/{data-export-feedback-pdf,hidden-location-metadata,login-floods,video-preparation}.test.ts',
  'tests/faults/{backup-commands,demo,demo-on-eventstoredb,eventstoredb,killed-server,killed-uploads,kill-during-appends,pooler,restore,rolling-upgrade}.test.ts',
  'tests/comparison/exact-pictures.test.ts',
  'tests/embedded/{embedded-stores,postgres}.test.ts',
  'tests/migrations/adopt-existing-database.test.ts',
  'tests/modules/media/{external-references,failed-preparation-tries,hdr-in-chromium,hostile-files,killed-preparations,longest-voice,outdated-renditions,oversized-tracks,preparation-outcomes,render-rendition,renditions,render-missing-frames,supervise-process,media-worker,media-worker-scheduling,voice-preparation}.test.ts',
  'tests/review-video/{make-review-video,render-comparisons,render-review,paint-printed-stills}.test.ts',
  'tests/readers/{projection-runner-many-servers,truncated-log}.test.ts',
  'tests/server/{dev-server,main}.test.ts',
  'tests/stripe/killed-sandbox.test.ts',
]
const never = ['tests/pages/**', '**/node_modules/**']

export default defineConfig({
  test: {
    globalSetup: 'tests/support/global-setup.ts',
    pool: 'forks',
    // More workers than processors, because some tests only wait, for a process to end or a store to come back.
    maxWorkers: 3,
    // CI machines are shared and stall now and then, so one retry is allowed; a test that fails twice has found a defect.
    retry: process.env.CI ? 1 : 0,
    // These timeouts only end tests that hang. A busy machine makes tests slower, but must not make them fail.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'together', include: together, exclude: [...never, ...swept], isolate: false } },
      { extends: true, test: { name: 'alone', include: ['tests/**/*.test.{ts,tsx}'], exclude: [...never, ...together, ...swept] } },
      { extends: true, test: { name: 'swept', include: swept } },
    ],
  },
})
