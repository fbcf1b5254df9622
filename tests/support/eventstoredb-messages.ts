import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { status } from '@grpc/grpc-js'

// EventStoreDB's protocol messages, from the definitions that ship with the client, and functions that build them for the fake server.

const require = createRequire(import.meta.url)
const of = <T>(file: string): T => require(`@eventstore/db-client/generated/${file}.js`)
export const { StreamsService } = of<typeof import('@eventstore/db-client/generated/streams_grpc_pb.js')>('streams_grpc_pb')
export const { ServerFeaturesService } =
  of<typeof import('@eventstore/db-client/generated/serverfeatures_grpc_pb.js')>('serverfeatures_grpc_pb')
export const { GossipService } = of<typeof import('@eventstore/db-client/generated/gossip_grpc_pb.js')>('gossip_grpc_pb')
export const streamsPb = of<typeof import('@eventstore/db-client/generated/streams_pb.js')>('streams_pb')
export const sharedPb = of<typeof import('@eventstore/db-client/generated/shared_pb.js')>('shared_pb')
export const featuresPb = of<typeof import('@eventstore/db-client/generated/serverfeatures_pb.js')>('serverfeatures_pb')
export const gossipPb = of<typeof import('@eventstore/db-client/generated/gossip_pb.js')>('gossip_pb')
export const { Status: RpcStatusMessage } = of<typeof import('@eventstore/db-client/generated/status_pb.js')>('status_pb')
export const { Any } = require('google-protobuf/google/protobuf/any_pb.js') as typeof import('google-protobuf/google/protobuf/any_pb.js')
export const emptyPbModule =
  require('google-protobuf/google/protobuf/empty_pb.js') as typeof import('google-protobuf/google/protobuf/empty_pb.js')
// The fake server takes all grpc-js classes from the client's copy, because grpc-js rejects instances of another copy's classes.
export const grpcJsOfClient = createRequire(require.resolve('@eventstore/db-client'))('@grpc/grpc-js') as typeof import('@grpc/grpc-js')

export type ReadReq = import('@eventstore/db-client/generated/streams_pb.js').ReadReq
export type ReadResp = import('@eventstore/db-client/generated/streams_pb.js').ReadResp
export type AppendReq = import('@eventstore/db-client/generated/streams_pb.js').AppendReq
export type AppendResp = import('@eventstore/db-client/generated/streams_pb.js').AppendResp
export type BatchReq = import('@eventstore/db-client/generated/streams_pb.js').BatchAppendReq
export type BatchResp = import('@eventstore/db-client/generated/streams_pb.js').BatchAppendResp
export type ProposedMessage = import('@eventstore/db-client/generated/streams_pb.js').AppendReq.ProposedMessage

export interface StoredEvent {
  id: string
  stream: string
  revision: bigint
  position: bigint
  type: string
  content: string
  data: Uint8Array
  metadata: Uint8Array
  /** In ticks of 100 ns. */
  created: bigint
}

/** The maximum size of one append, in bytes (the server's `MaxAppendSize`). */
export const MAX_APPEND_BYTES = 1024 * 1024

/** The server's reasons for not handling a call, which appear as the status of a call and inside the response to a batched append. */
export const NOT_HANDLED_REASONS = {
  starting: { code: status.UNAVAILABLE, call: 'Server Is Not Ready', batch: 'Server Is Not Ready' },
  busy: { code: status.UNAVAILABLE, call: 'Server Is Too Busy', batch: 'Server Is Busy' },
  leaderless: { code: status.UNKNOWN, call: 'No leader info available in response', batch: 'No leader info available in response' },
  reset: { code: status.INTERNAL, call: 'Received RST_STREAM with code 2', batch: undefined },
} as const
export type NotHandledReason = keyof typeof NOT_HANDLED_REASONS

export type ProposedEvent = Pick<StoredEvent, 'id' | 'type' | 'content' | 'data' | 'metadata'>

export const eventOfProposedMessage = (
  m: Pick<ProposedMessage, 'getId' | 'getMetadataMap' | 'getData_asU8' | 'getCustomMetadata_asU8'>,
): ProposedEvent => ({
  id: m.getId()!.getString(),
  type: m.getMetadataMap().get('type') ?? '',
  content: m.getMetadataMap().get('content-type') ?? '',
  data: m.getData_asU8(),
  metadata: m.getCustomMetadata_asU8(),
})
export const streamNameInOptions = (options: { getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined }) =>
  Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString('utf8')
export const streamIdentifier = (stream: string) => new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'))

export function recordedEventMessage(e: StoredEvent, position = e.position) {
  const event = new streamsPb.ReadResp.ReadEvent.RecordedEvent()
    .setId(new sharedPb.UUID().setString(e.id))
    .setStreamIdentifier(streamIdentifier(e.stream))
    .setStreamRevision(`${e.revision}`)
    .setCommitPosition(`${position}`)
    .setPreparePosition(`${position}`)
    .setData(e.data)
    .setCustomMetadata(e.metadata)
  event.getMetadataMap().set('type', e.type)
  event.getMetadataMap().set('content-type', e.content)
  event.getMetadataMap().set('created', `${e.created}`)
  return new streamsPb.ReadResp().setEvent(new streamsPb.ReadResp.ReadEvent().setEvent(event).setCommitPosition(`${e.position}`))
}

/** Fails a call with a server error, including the metadata from which the client builds its errors. */
export function failGrpcCall(
  call: { emit(name: 'error', error: object): unknown },
  code: status,
  details: string,
  exception: Record<string, string> = {},
) {
  const metadata = new grpcJsOfClient.Metadata()
  for (const [name, value] of Object.entries(exception)) metadata.set(name, value)
  call.emit('error', Object.assign(new Error(details), { code, details, metadata }))
}
export const failServerUnavailable = (call: Parameters<typeof failGrpcCall>[0], why: NotHandledReason) =>
  failGrpcCall(call, NOT_HANDLED_REASONS[why].code, NOT_HANDLED_REASONS[why].call)

export const failStreamDeleted = (call: Parameters<typeof failGrpcCall>[0], stream: string) =>
  failGrpcCall(call, status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  })

export const failAppendTooLarge = (call: Parameters<typeof failGrpcCall>[0]) =>
  failGrpcCall(call, status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': `${MAX_APPEND_BYTES}`,
  })

/** The result of an append: the last event (`again`: it was appended before), the actual revision after a conflict, or a refusal. */
export type AppendOutcome = { last: StoredEvent; again?: boolean } | { actual: bigint } | { refused: 'deleted' | 'too large' | 'dropped' }

/** The response to an append that was not refused. */
export function toAppendResponse(result: Exclude<AppendOutcome, { refused: unknown }>) {
  const response = new streamsPb.AppendResp()
  if ('last' in result) {
    const { position, revision } = result.last
    const at = new streamsPb.AppendResp.Position().setCommitPosition(`${position}`).setPreparePosition(`${position}`)
    const success = new streamsPb.AppendResp.Success().setCurrentRevision(`${revision}`)
    return response.setSuccess(result.again ? success.setNoPosition(new sharedPb.Empty()) : success.setPosition(at))
  }
  const wrong = new streamsPb.AppendResp.WrongExpectedVersion()
  if (result.actual >= 0n) wrong.setCurrentRevision(`${result.actual}`)
  else wrong.setCurrentNoStream(new sharedPb.Empty())
  return response.setWrongExpectedVersion(wrong)
}

/** Starts the response to a batched append; the caller adds the result. */
export const batchResponse = (request: BatchReq, stream: string) =>
  new streamsPb.BatchAppendResp().setCorrelationId(request.getCorrelationId()).setStreamIdentifier(streamIdentifier(stream))

/** The error of a batched append, with details of this type. */
export function batchAppendErrorStatus(code: status, message: string, type: string, details: { serializeBinary(): Uint8Array }) {
  const any = new Any()
  any.pack(details.serializeBinary(), type)
  return new RpcStatusMessage()
    .setCode(code as number)
    .setMessage(message)
    .setDetails(any)
}

/** What a server of version 24.10 reports as supported; without batched appends if `batch` is false. */
export function supportedMethods(batch: boolean) {
  const methods = ['read', 'append', ...(batch ? ['batchappend'] : [])]
  const service = 'event_store.client.streams.streams'
  const list = methods.map(name => new featuresPb.SupportedMethod().setServiceName(service).setMethodName(name))
  return new featuresPb.SupportedMethods().setEventStoreServerVersion('24.10.0').setMethodsList(list)
}

/** A cluster whose only member is the leader at this port. */
export function clusterOfOneLeader(port: number) {
  const here = new gossipPb.EndPoint().setAddress('127.0.0.1').setPort(port)
  const leader = new gossipPb.MemberInfo().setIsAlive(true).setHttpEndPoint(here)
  leader.setState(gossipPb.MemberInfo.VNodeState.LEADER).setInstanceId(new sharedPb.UUID().setString(randomUUID()))
  return new gossipPb.ClusterInfo().setMembersList([leader])
}
