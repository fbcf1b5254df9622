import { userOf } from '../../modules/accounts/people.ts'
import { folders as contract, type FolderSummary } from '../../modules/folders/contract.ts'
import { clearDraft, draftOf, saveDraft } from '../../modules/folders/drafts.ts'
import { folder, nextSession } from '../../modules/folders/folder.ts'
import { profileOf } from '../../modules/instructors/profiles.ts'
import { handle, type Payload } from '../../modules/kernel/decider.ts'
import { Refused } from '../../modules/kernel/store.ts'
import { parsed, posterKey } from '../../modules/media/keys.ts'
import { isUnseen, mediaWork, renditionOf, type Work } from '../../modules/media/work.ts'
import { quote } from '../../modules/payments/pricing.ts'
import { type Clip, type FolderRow, folderOf, foldersOf } from '../../projections/folders.ts'
import { queueOf } from '../../projections/queue.ts'
import { storyOf } from '../../projections/story.ts'
import { owned, readerOf, reviewed } from './access.ts'
import { assignable, nextTerms } from './assigning.ts'
import type { Deps } from './deps.ts'
import { found, Problem } from './problem.ts'
import { type Context, query, serve, written } from './route.ts'

type Commands = typeof folder.decide
type Asking = Pick<Context, 'deps' | 'by'> & { params: { folder: string } }

/** Decides and writes; the answer carries the position. */
async function decide<C extends keyof Commands>({ deps, by, params }: Asking, what: C, payload: Payload<Commands, C>) {
  const { position } = await handle(deps.store, folder, params.folder, what, payload, by)
  return written(position)
}

const watch = ({ objects, clock }: Deps, key: string | null) => (key === null ? null : objects.watch(key, clock()))
/** The newest still there is: of the rendition, else the browser's. */
const stillOf = (clips: Clip[], works: Works) => {
  const shown = clips.findLast(c => works.get(c.id)?.state === 'ready' || c.poster)
  return shown ? posterOf(shown, works.get(shown.id)) : null
}
const posterOf = ({ key, poster }: Clip, work: Work | undefined) => {
  const its = work?.state === 'ready' ? parsed(key) : null
  return its ? posterKey(its.folder, its.video) : poster
}
type Works = Map<string, Work>
const worksOf = ({ sql }: Deps, rows: { clips: Clip[] }[]): Promise<Works> =>
  mediaWork(sql).of(rows.flatMap(row => row.clips.map(c => c.id)))

async function summary(deps: Deps, row: Omit<FolderRow, 'declined' | 'delivered'>, works: Works): Promise<FolderSummary> {
  const { id, name, status, clips, player, instructor, assignment, clarification, created, updated } = row
  const poster = await watch(deps, stillOf(clips, works))
  const preparing = clips.filter(c => underWay(works.get(c.id))).length
  const unseen = clips.filter(c => unseenBy(works.get(c.id))).length
  return {
    id,
    name,
    status,
    videos: clips.length,
    preparing,
    unseen,
    poster,
    player,
    instructor,
    assignment,
    clarification,
    created,
    updated,
  }
}
const underWay = (work: Work | undefined) => work?.state === 'waiting' || work?.state === 'preparing'
const unseenBy = (work: Work | undefined) => !!work && isUnseen(work)

/** What the worker found is nearer to the truth than what the browser said. */
const clip = async (deps: Deps, stored: Clip, work: Work | undefined) => {
  const { key, poster: _, captureRate, ...video } = stored
  return {
    ...video,
    ...(work?.media && {
      ...{ width: work.media.width, height: work.media.height },
      media: captureRate ? { ...work.media, captureRate: { rate: captureRate, by: 'person' as const } } : work.media,
    }),
    type: video.type as 'video/mp4',
    url: (await watch(deps, key))!,
    poster: await watch(deps, posterOf(stored, work)),
    ...(work && { rendition: await renditionOf(work, async its => (await watch(deps, its))!) }),
  }
}

const storedBy = (clips: Clip[], works: Works) => ({
  originals: clips.reduce((sum, c) => sum + c.bytes, 0),
  prepared: clips.reduce((sum, c) => sum + Object.values(works.get(c.id)?.made ?? {}).reduce((all, file) => all + file.bytes, 0), 0),
})

/** Of these videos, those that nobody can see. */
const unseenOf = async ({ sql }: Pick<Deps, 'sql'>, videos: { id: string }[]): Promise<string[]> =>
  [...(await mediaWork(sql).of(videos.map(v => v.id))).values()].filter(isUnseen).map(work => work.video)

export const folders = serve(contract, {
  'GET /api/folders': query(['folders'], async ({ deps, user }) => {
    const rows = await foldersOf(deps.sql, user.id)
    const works = await worksOf(deps, rows)
    return { folders: await Promise.all(rows.map(async row => ({ ...(await summary(deps, row, works)), declined: row.declined }))) }
  }),

  'POST /api/folders': async ({ deps, user, by, body: { id, name } }) => {
    const { position } = await handle(deps.store, folder, id, 'create', { player: user.id, name }, by)
    return written(position, { id })
  },

  'GET /api/folders/{folder}': query(['folders', 'story'], async ({ deps, user, params }) => {
    const row = await folderOf(deps.sql, params.folder)
    const reader = readerOf(user, row && { player: row.player.id, instructor: row.instructor?.id ?? null })
    const { message, declined, delivered, clips } = found(row)
    const works = await worksOf(deps, [{ clips }])
    return {
      ...(await summary(deps, found(row), works)),
      clips: await Promise.all(clips.map(c => clip(deps, c, works.get(c.id)))),
      message,
      declined,
      feedback: delivered && { ...delivered.review, assignment: delivered.assignment, by: delivered.by, given: delivered.given },
      question: delivered?.question ?? null,
      answer: delivered?.answer ?? null,
      story: await storyOf(deps.sql, params.folder, reader),
      stored: storedBy(clips, works),
    }
  }),

  'PATCH /api/folders/{folder}': async ctx => {
    await owned(ctx, ctx.params.folder)
    return decide(ctx, 'rename', ctx.body)
  },
  'POST /api/folders/{folder}/archive': async ctx => {
    await owned(ctx, ctx.params.folder)
    return decide(ctx, 'archive', {})
  },
  'POST /api/folders/{folder}/restore': async ctx => {
    await owned(ctx, ctx.params.folder)
    return decide(ctx, 'restore', {})
  },
  'DELETE /api/folders/{folder}/videos/{video}': async ctx => {
    const { videos, removed } = await owned(ctx, ctx.params.folder)
    const { video } = ctx.params
    found(videos.some(v => v.id === video) || removed.includes(video))
    return decide(ctx, 'removeVideo', { video })
  },

  'GET /api/folders/{folder}/videos/{video}/original': async ctx => {
    const { videos } = await owned(ctx, ctx.params.folder)
    const { key, name } = found(videos.find(v => v.id === ctx.params.video))
    return { url: await ctx.deps.objects.download(key, name) }
  },
  'PUT /api/folders/{folder}/videos/{video}/capture-rate': async ctx => {
    const { folder: of, video } = ctx.params
    const { videos } = ctx.user.role === 'player' ? await owned(ctx, of) : await reviewed(ctx, of)
    found(videos.some(v => v.id === video))
    return decide(ctx, 'setCaptureRate', { video, rate: ctx.body.rate, by: ctx.user.id })
  },

  'GET /api/folders/{folder}/quote': async ctx => {
    const state = await owned(ctx, ctx.params.folder)
    const videos = nextSession(state)
    const unseen = await unseenOf(ctx.deps, videos)
    return quote({ videos: videos.filter(v => !unseen.includes(v.id)), terms: await nextTerms(ctx.deps, ctx.user.id) })
  },

  'POST /api/folders/{folder}/assign': query(['payments'], async ctx => {
    const { deps, user, params, body, by } = ctx
    const state = await owned(ctx, params.folder)
    const { assignment, instructor, message = null, seen } = body
    const videos = nextSession(state)
    const asked = { assignment, instructor, message: message || null, videos }
    // What the folder itself refuses comes before anything is set aside for it.
    const free = { ...asked, quote: { items: [], total: 0, atMost: 0 }, terms: null }
    if (Array.isArray(folder.decide.assign(state, free))) return decide(ctx, 'assign', free)
    if ((await unseenOf(deps, videos)).length) {
      throw new Refused('One of these videos cannot be played. Put another in its place or remove it, then assign the folder.', 'unseen')
    }
    if ((await userOf(deps.sql, user.id, deps.clock()))?.guardian === 'waiting') {
      throw new Refused(
        'Your parent or guardian has to agree first. Ask them to open the link we sent, or have it sent again.',
        'guardian-needed',
      )
    }
    if (!(await profileOf(deps.sql, instructor, deps.clock()))) {
      throw new Refused('This instructor does not take folders right now. Choose another.', 'no-instructor', 'instructor')
    }
    const agreed = await assignable(deps, { assignment, folder: params.folder, player: user.id, instructor, videos, seen }, by)
    return decide(ctx, 'assign', { ...asked, ...agreed })
  }),
  'POST /api/folders/{folder}/withdraw': async ctx => {
    await owned(ctx, ctx.params.folder)
    return decide(ctx, 'withdraw', {})
  },
  'POST /api/folders/{folder}/question': async ctx => {
    await owned(ctx, ctx.params.folder)
    return decide(ctx, 'ask', ctx.body)
  },

  'GET /api/queue': query(['folders'], async ({ deps, user }) => {
    const rows = await queueOf(deps.sql, user.id)
    const works = await worksOf(deps, rows)
    return {
      folders: await Promise.all(
        rows.map(async row => ({ ...(await summary(deps, row, works)), assigned: row.assigned, message: row.message })),
      ),
    }
  }),
  'POST /api/folders/{folder}/review': async ctx => {
    await reviewed(ctx, ctx.params.folder)
    return decide(ctx, 'startReview', { instructor: ctx.user.id })
  },
  'POST /api/folders/{folder}/decline': async ctx => {
    await reviewed(ctx, ctx.params.folder)
    return decide(ctx, 'decline', { instructor: ctx.user.id, ...ctx.body })
  },

  'GET /api/folders/{folder}/draft': async ctx => {
    const { assignment } = await reviewed(ctx, ctx.params.folder)
    return draftOf(ctx.deps.sql, assignment!.id)
  },
  'PUT /api/folders/{folder}/draft': async ctx => {
    const { assignment } = await reviewed(ctx, ctx.params.folder)
    if (assignment!.review) throw new Refused('This feedback is delivered, so there is nothing to save anymore.', 'delivered')
    const { revision, draft } = ctx.body
    const saved = await saveDraft(ctx.deps.sql, assignment!.id, revision, draft, ctx.deps.clock())
    if (saved === null) {
      throw new Problem(409, 'This review was changed in another tab. Load what is there, then go on.', 'draft-changed')
    }
    return { revision: saved }
  },
  'POST /api/folders/{folder}/feedback': async ctx => {
    const { assignment } = await reviewed(ctx, ctx.params.folder)
    const answer = await decide(ctx, 'deliver', {
      instructor: ctx.user.id,
      review: ctx.body,
      unseen: await unseenOf(ctx.deps, assignment?.videos ?? []),
    })
    if (assignment) await clearDraft(ctx.deps.sql, assignment.id)
    return answer
  },
  'POST /api/folders/{folder}/answer': async ctx => {
    await reviewed(ctx, ctx.params.folder)
    return decide(ctx, 'answer', { instructor: ctx.user.id, ...ctx.body })
  },
})
