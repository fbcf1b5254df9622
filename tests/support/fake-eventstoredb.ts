import { randomUUID } from 'node:crypto'
import { type ServerDuplexStream, type ServerReadableStream, type ServerWritableStream, status } from '@grpc/grpc-js'
import {
  type AppendOutcome,
  type AppendReq,
  type AppendResp,
  type BatchReq,
  type BatchResp,
  batchAppendErrorStatus,
  batchResponse,
  clusterOfOneLeader,
  emptyPbModule,
  eventOfProposedMessage,
  failAppendTooLarge,
  failGrpcCall,
  failServerUnavailable,
  failStreamDeleted,
  GossipService,
  grpcJsOfClient,
  MAX_APPEND_BYTES,
  NOT_HANDLED_REASONS,
  type NotHandledReason,
  type ProposedEvent,
  type ReadReq,
  type ReadResp,
  recordedEventMessage,
  ServerFeaturesService,
  type StoredEvent,
  StreamsService,
  sharedPb,
  streamIdentifier,
  streamNameInOptions,
  streamsPb,
  supportedMethods,
  toAppendResponse,
} from './eventstoredb-messages.ts'

/**
 * Starts a fake EventStoreDB: the Streams, Gossip and ServerFeatures services from the definitions that ship with the client, over real
 * gRPC, in memory. Tests with it prove that we use the client correctly (its calls, errors and streams), but nothing about the server. For
 * that, use a real one: `EVENTSTOREDB_URL='esdb://localhost:2113?tls=false' npm test -- tests/kernel/eventstoredb-contract.test.ts`.
 * `batch: false` emulates an old server without batched appends; `hasPositions: false` one that omits positions when a stream is read.
 */
export async function startFakeEventstoredb({ batch = true, hasPositions = true } = {}) {
  const log: StoredEvent[] = []
  const live = new Set<() => void>()
  let isUnresponsive = false
  let notHandled: NotHandledReason | undefined
  /** How many repeated appends were dropped because the events of the first attempt had not been indexed yet. */
  let dropped = 0
  /** Set while indexing is paused: events from log index `from` on cannot be read, and `answers` holds the responses to their appends. */
  let unindexed: { from: number; answers: (() => void)[] } | undefined
  /** The first remaining revision of each truncated stream, and the streams deleted for good. */
  const truncated = new Map<string, bigint>()
  const tombstones = new Set<string>()
  const open = new Set<ServerWritableStream<ReadReq, ReadResp>>()
  /** The number of calls by kind; a batched append is a message on an open call. */
  const calls = { reads: 0, appends: 0, batchCalls: 0, batchedAppends: 0 }
  let answerDelayMs = 0
  const lastOf = (stream: string) => log.findLast(e => e.stream === stream)
  const indexed = () => (unindexed ? log.slice(0, unindexed.from) : log)
  const left = (stream: string) => indexed().filter(e => e.stream === stream && e.revision >= (truncated.get(stream) ?? 0n))

  /** `expected`: a revision, −1 for no stream, null for any. Repeating the same events succeeds without a position, as on a real server. */
  function write(stream: string, expected: bigint | null, news: ProposedEvent[]): AppendOutcome {
    if (tombstones.has(stream)) return { refused: 'deleted' }
    if (news.reduce((bytes, e) => bytes + e.type.length + e.data.length + e.metadata.length, 0) > MAX_APPEND_BYTES)
      return { refused: 'too large' }
    const actual = lastOf(stream)?.revision ?? -1n
    if (expected !== null && expected !== actual) {
      const there = log.filter(e => e.stream === stream && e.revision > expected).slice(0, news.length)
      if (news.length && there.length === news.length && there.every((e, i) => e.id === news[i]!.id)) {
        if (indexed().includes(there.at(-1)!)) return { last: there.at(-1)!, again: true }
        dropped++
        return { refused: 'dropped' }
      }
      // A soft-deleted stream may be recreated; its revisions continue.
      if (expected !== -1n || truncated.get(stream) !== actual + 1n) return { actual }
    }
    for (const [i, e] of news.entries()) {
      // Positions have gaps, as on a real server.
      const position = (log.at(-1)?.position ?? 100n) + 37n + BigInt(e.data.length)
      log.push({ ...e, stream, revision: actual + 1n + BigInt(i), position, created: BigInt(Date.now()) * 10_000n })
    }
    for (const wake of live) wake()
    return { last: lastOf(stream)! }
  }

  function read(call: ServerWritableStream<ReadReq, ReadResp>) {
    const options = call.request.getOptions()!
    if (!options.hasSubscription()) calls.reads++
    if (notHandled) return failServerUnavailable(call, notHandled)
    if (options.hasStream()) {
      const stream = streamNameInOptions(options.getStream()!)
      if (tombstones.has(stream)) return failStreamDeleted(call, stream)
      const from = options.getStream()!.hasRevision() ? BigInt(options.getStream()!.getRevision()) : 0n
      const events = left(stream)
      if (events.length) {
        for (const e of events.filter(e => e.revision >= from))
          call.write(recordedEventMessage(e, hasPositions ? e.position : 2n ** 64n - 1n))
      } else
        call.write(
          new streamsPb.ReadResp().setStreamNotFound(new streamsPb.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream))),
        )
      return call.end()
    }
    const all = options.getAll()!
    if (!options.hasSubscription()) {
      // Reads $all backward, the only direction that this fake supports: from the end, or before a position.
      const before = all.hasPosition() ? BigInt(all.getPosition()!.getCommitPosition()) : 2n ** 63n
      const found = indexed().filter(e => e.position < before)
      for (const e of found.reverse().slice(0, Number(options.getCount()))) call.write(recordedEventMessage(e))
      return call.end()
    }
    let after = all.hasPosition() ? BigInt(all.getPosition()!.getCommitPosition()) : -1n
    const types = options.getFilter()?.getEventType()?.getRegex()
    const wanted = types ? new RegExp(types) : /./
    // A position past the end is valid, and the subscription waits; one between two events is invalid.
    if (after >= 0n && after <= (log.at(-1)?.position ?? -1n) && !log.some(e => e.position === after))
      return failGrpcCall(call, status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    let next = log.findIndex(e => e.position > after)
    if (next < 0) next = log.length
    const sendNewEvents = () => {
      for (; next < indexed().length; next++) {
        after = log[next]!.position
        if (wanted.test(log[next]!.type)) call.write(recordedEventMessage(log[next]!))
      }
    }
    call.write(new streamsPb.ReadResp().setConfirmation(new streamsPb.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())))
    sendNewEvents()
    call.write(new streamsPb.ReadResp().setCaughtUp(new streamsPb.ReadResp.CaughtUp()))
    open.add(call)
    live.add(sendNewEvents)
    const done = () => {
      live.delete(sendNewEvents)
      open.delete(call)
    }
    call.on('cancelled', done)
    call.on('close', done)
  }

  function append(call: ServerReadableStream<AppendReq, AppendResp>, reply: (error: object | null, answer?: AppendResp) => void) {
    calls.appends++
    let options: import('@eventstore/db-client/generated/streams_pb.js').AppendReq.Options
    const proposed: ProposedEvent[] = []
    call.on('data', (req: AppendReq) => {
      if (req.hasOptions()) options = req.getOptions()!
      else proposed.push(eventOfProposedMessage(req.getProposedMessage()!))
    })
    call.on('end', () => {
      if (notHandled) return failServerUnavailable({ emit: (_, error) => reply(error, undefined) }, notHandled)
      const stream = streamNameInOptions(options)
      const written = write(stream, options.hasRevision() ? BigInt(options.getRevision()) : options.hasNoStream() ? -1n : null, proposed)
      if ('refused' in written) {
        const emit = (_: 'error', error: object) => reply(error, undefined)
        if (written.refused === 'deleted') return failStreamDeleted({ emit }, stream)
        if (written.refused === 'too large') return failAppendTooLarge({ emit })
        return
      }
      const response = toAppendResponse(written)
      sendOnceIndexed(() => reply(null, response))
    })
  }

  /** Sends the response to an append, but only once the events are indexed. */
  const sendOnceIndexed = (answer: () => void) => {
    if (unindexed) unindexed.answers.push(answer)
    else if (answerDelayMs) setTimeout(answer, answerDelayMs)
    else answer()
  }

  function batchAppend(call: ServerDuplexStream<BatchReq, BatchResp>) {
    calls.batchCalls++
    const waiting = new Map<string, { options: ReturnType<BatchReq['getOptions']>; news: ProposedEvent[] }>()
    call.on('data', (req: BatchReq) => {
      const id = req.getCorrelationId()!.getString()
      if (!waiting.has(id)) waiting.set(id, { options: req.getOptions(), news: [] })
      const { options, news } = waiting.get(id)!
      news.push(...req.getProposedMessagesList().map(eventOfProposedMessage))
      if (!req.getIsFinal()) return
      waiting.delete(id)
      calls.batchedAppends++
      const stream = streamNameInOptions(options!)
      const refusal = (...error: Parameters<typeof batchAppendErrorStatus>) =>
        batchResponse(req, stream).setError(batchAppendErrorStatus(...error))
      if (notHandled) {
        const { batch: words } = NOT_HANDLED_REASONS[notHandled]
        if (words) call.write(refusal(status.OK, words, 'google.protobuf.Empty', new emptyPbModule.Empty()))
        else failServerUnavailable(call, notHandled)
        return
      }
      const expected = options!.hasStreamPosition() ? BigInt(options!.getStreamPosition()) : options!.hasNoStream() ? -1n : null
      const written = write(stream, expected, news)
      if ('refused' in written) {
        if (written.refused === 'deleted')
          call.write(refusal(status.FAILED_PRECONDITION, 'StreamDeleted', 'event_store.client.StreamDeleted', new sharedPb.StreamDeleted()))
        if (written.refused === 'too large') {
          const details = new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES)
          call.write(refusal(status.INVALID_ARGUMENT, 'TooLarge', 'event_store.client.MaximumAppendSizeExceeded', details))
        }
        return
      }
      const answer = batchResponse(req, stream)
      if ('last' in written) {
        const { position, revision } = written.last
        const at = new sharedPb.AllStreamPosition().setCommitPosition(`${position}`).setPreparePosition(`${position}`)
        const success = new streamsPb.BatchAppendResp.Success().setCurrentRevision(`${revision}`)
        answer.setSuccess(written.again ? success.setNoPosition(new emptyPbModule.Empty()) : success.setPosition(at))
      } else {
        const wrong = new sharedPb.WrongExpectedVersion()
        if (written.actual >= 0n) wrong.setCurrentStreamRevision(`${written.actual}`)
        else wrong.setCurrentNoStream(new emptyPbModule.Empty())
        call.write(refusal(status.FAILED_PRECONDITION, 'WrongExpectedVersion', 'event_store.client.WrongExpectedVersion', wrong))
        return
      }
      if (!isUnresponsive) sendOnceIndexed(() => call.write(answer))
    })
    call.on('end', () => call.end())
  }

  let port = 0
  let server: import('@grpc/grpc-js').Server
  async function start() {
    server = new grpcJsOfClient.Server()
    server.addService(StreamsService as never, { read, append, batchAppend } as never)
    type Reply = (error: null, answer: unknown) => void
    const getSupportedMethods = (_: unknown, reply: Reply) => reply(null, supportedMethods(batch))
    const readGossip = (_: unknown, reply: Reply) => reply(null, clusterOfOneLeader(port))
    server.addService(ServerFeaturesService as never, { getSupportedMethods } as never)
    server.addService(GossipService as never, { read: readGossip } as never)
    port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(`127.0.0.1:${port}`, grpcJsOfClient.ServerCredentials.createInsecure(), (e, bound) =>
        e ? reject(e) : resolve(bound),
      ),
    )
  }
  await start()

  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    /** The URL for discovery of the cluster's leader. */
    clusterUrl: `esdb+discover://127.0.0.1:${port}?tls=false`,
    /** Writes an event as another program might: its data is not valid JSON, and it has no metadata. */
    writeForeignEvent: (stream: string, type: string, content = 'application/octet-stream') =>
      write(stream, null, [{ id: randomUUID(), type, content, data: Buffer.from('{'), metadata: new Uint8Array() }]),
    /** Removes a stream's events before a revision (as `$tb` and `$maxCount` do), or all of them, as a deletion does. */
    truncate: (stream: string, before = lastOf(stream)!.revision + 1n) => void truncated.set(stream, before),
    /** Deletes a stream for good. */
    tombstone: (stream: string) => void tombstones.add(stream),
    /** Refuses every call with a transient error; without an argument, accepts calls again. */
    refuse(why?: NotHandledReason) {
      notHandled = why
    },
    /** From now on events are written but not indexed, until `index` is called. */
    holdIndex() {
      unindexed = { from: log.length, answers: [] }
    },
    calls,
    /** From now on writes immediately, but responds to appends only after `ms` milliseconds. */
    delayAnswers(ms: number) {
      answerDelayMs = ms
    },
    dropped: () => dropped,
    index() {
      const answers = unindexed?.answers ?? []
      unindexed = undefined
      for (const answer of answers) answer()
      for (const wake of live) wake()
    },
    /** Restores a backup that lacks the last `fewer` events. Closes every connection, as stopping the server would. */
    async restore(fewer: number) {
      server.forceShutdown()
      open.clear()
      live.clear()
      log.splice(log.length - fewer)
      await start()
    },
    /** The number of open subscriptions. */
    subscriptions: () => open.size,
    /** Ends every subscription, as a server does at shutdown. */
    endSubscriptions(code = status.UNAVAILABLE) {
      for (const call of [...open]) call.emit('error', Object.assign(new Error('going away'), { code }))
    },
    /** Keeps writing, but no longer confirms batched appends. */
    stopAnswering() {
      isUnresponsive = true
    },
    /** Shuts down and closes every connection. Written events stay. */
    async down() {
      server.forceShutdown()
      open.clear()
      live.clear()
    },
    up: start,
    stop: () => server.forceShutdown(),
  }
}
