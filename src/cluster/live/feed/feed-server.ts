import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeedMessage, FeedRequest } from './messages.ts';

interface FeedEvents {
  readonly onMessage: (message: FeedMessage) => void;
  /** Called with true when an operator was started, and with false when it has ended. */
  readonly onOperator: (running: boolean) => void;
}

export interface OperatorSettings {
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * URL of the module that operators load to send reports. The module must be a separate file in the folder of this file. So if op-sdk's code
 * is bundled, a copy of the module must be beside the bundle.
 */
const preload = new URL('./operator-feed.js', import.meta.url).href;

/**
 * Maximum length of one message, in characters. It is several times the length of a usual message. If an operator sends a longer message,
 * its connection is closed.
 */
const longestMessage = 8 * 1024 * 1024;

/**
 * Receives the reports of operators over a socket in a folder that only the current user can open; on Windows, over a pipe with a random
 * name. When another operator connects, the connection of the former operator is closed.
 */
export class FeedServer {
  readonly #address: string;
  readonly #folder: string | undefined;
  readonly #server: Server;
  #events: FeedEvents = { onMessage: () => undefined, onOperator: () => undefined };
  #operator: Socket | undefined;
  #looking = false;

  private constructor(address: string, folder: string | undefined) {
    this.#address = address;
    this.#folder = folder;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Opens a server. The caller must `close` it in the end. */
  static async open(): Promise<FeedServer> {
    const folder = process.platform === 'win32' ? undefined : await mkdtemp(join(tmpdir(), 'op-sdk-live-'));
    const address = folder === undefined ? `\\\\.\\pipe\\op-sdk-${randomUUID()}` : join(folder, 'feed');
    const server = new FeedServer(address, folder);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(address, resolve);
    });
    return server;
  }

  /** Sets the callbacks that receive the operators' messages. Call it before the first operator is started. */
  listen(events: FeedEvents): void {
    this.#events = events;
  }

  /** Flags and environment variables with which Node must be started so that the operator reports to this server. */
  get operatorSettings(): OperatorSettings {
    return { nodeFlags: [`--import=${preload}`], env: { OP_SDK_LIVE_FEED: this.#address } };
  }

  /** Turns the reports of the current operator and of later ones on or off. */
  look(looking: boolean): void {
    this.#looking = looking;
    if (this.#operator !== undefined) this.#ask(this.#operator);
  }

  async close(): Promise<void> {
    this.#operator?.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #accept(socket: Socket): void {
    this.#operator?.destroy();
    this.#operator = socket;
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestMessage) socket.destroy();
      for (const line of lines) this.#read(socket, line);
    });
    socket.on('close', () => {
      if (this.#operator !== socket) return;
      this.#operator = undefined;
      this.#events.onOperator(false);
    });
    this.#events.onOperator(true);
    this.#ask(socket);
  }

  #read(socket: Socket, line: string): void {
    let message: FeedMessage;
    try {
      message = JSON.parse(line) as FeedMessage;
    } catch {
      // The message does not come from the operator's module, but from another process of the same user. So its connection is closed.
      socket.destroy();
      return;
    }
    this.#events.onMessage(message);
  }

  #ask(socket: Socket): void {
    const request: FeedRequest = { looking: this.#looking };
    socket.write(`${JSON.stringify(request)}\n`);
  }
}
