import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** Flags and environment variables of a Node program that finds the names of Pods and Services. */
export interface ProgramSettings {
  /** Flags for Node, before the name of the program. */
  readonly nodeFlags: readonly string[];
  /** Environment variables, in addition to those of the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** URL of the module that programs load. It stays a file of its own beside this one, also where op-sdk's code is bundled. */
const preload = new URL('./program-names.js', import.meta.url).href;

/** Maximum length of a question, in characters: a name has at most 253. */
const longestQuestion = 1000;

/**
 * Answers programs of this machine, which ask for the addresses of names over a socket: a line with a name each, and a line with its
 * address, or an empty one.
 */
export class NameServer {
  /** Settings of programs that ask this server. */
  readonly settings: ProgramSettings;
  readonly #find: (name: string) => string | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /**
   * @param folder folder for the socket, which only the current user can open, and whose path is short
   * @param find returns the address of a name; undefined for names that are not of the cluster
   * @param onError called if the socket cannot be opened
   */
  constructor(folder: string, find: (name: string) => string | undefined, onError: (error: unknown) => void) {
    const path = join(folder, 'names');
    this.settings = {
      nodeFlags: [`--import=${preload}`],
      env: { OP_SDK_NAMES: path, OPSDK_PROGRAMS: 'true' },
    };
    this.#find = find;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.on('error', onError).listen(path).unref();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    let rest = '';
    this.#sockets.add(socket);
    socket.setEncoding('utf8').unref();
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (text: string) => {
      const names = (rest + text).split('\n');
      rest = names.pop() ?? '';
      if (rest.length > longestQuestion) socket.destroy();
      else socket.write(names.map((name) => `${this.#find(name) ?? ''}\n`).join(''));
    });
  }
}
