import type { ServerResponse } from 'node:http';

/** Bytes that a browser may be behind. One that is slower is cut off, comes back by itself, and begins with the state of that moment. */
const mostBehind = 16 * 1024 * 1024;

/** Server-sent events to one page. Source: WHATWG HTML, section Server-sent events. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.setHeader('content-type', 'text/event-stream');
    // Browsers try again after this many milliseconds.
    response.write('retry: 1000\n\n');
  }

  /** Sends a value as JSON, in an event of the type `message`. */
  send(value: unknown): void {
    if (this.#response.writableEnded) return;
    // JSON has no line breaks outside of text, and escapes those in text: it is one line.
    this.#response.write(`data: ${JSON.stringify(value)}\n\n`);
    if (this.#response.writableLength > mostBehind) this.#response.destroy();
  }

  end(): void {
    this.#response.end();
  }
}
