/**
 * Whether a Host header is the address of the loopback server at this port. Servers that check it are safe from DNS rebinding: a malicious
 * site points its own domain at 127.0.0.1 after the browser has loaded its page, and can then read the responses of a loopback server as if
 * they came from the same origin.
 */
export const isHostOfLoopbackServer = (host: string | undefined, port: number) =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`
