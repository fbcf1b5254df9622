import { FastResponse } from 'srvx'

/** A response that also exposes its complete text, so that the Node listener can write it in one piece with a content length. */
export class BufferedResponse extends FastResponse {
  readonly sent: { text: string; status: number; headers: Record<string, string> }
  constructor(text: string, status: number, headers: Record<string, string>) {
    super(text, { status, headers })
    this.sent = { text, status, headers }
  }
}
