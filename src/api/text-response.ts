import { FastResponse } from 'srvx'

/** A response whose text is known as a whole, so that the Node listener can write it in one piece with its length. */
export class TextResponse extends FastResponse {
  readonly sent: { text: string; status: number; headers: Record<string, string> }
  constructor(text: string, status: number, headers: Record<string, string>) {
    super(text, { status, headers })
    this.sent = { text, status, headers }
  }
}
