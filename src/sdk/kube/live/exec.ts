import type { Writable } from 'node:stream';
import { toError, waitFor } from '../../net/index.ts';
import { ApiError } from '../client/api-error.ts';
import { describeTarget, isStatus, resourcePath, type CallTarget, type Status } from '../client/calls.ts';
import { checkPlace } from '../client/check-request.ts';
import type { Connection } from '../client/connection.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { UpgradedSocket } from '../transport/transport.ts';
import type { CallOptions, ObjectKey } from '../types.ts';
import { execChannels as channels, execProtocols, messageOn } from './channels.ts';
import { invalidRequest } from './invalid-request.ts';
import { podResource } from './pod-resource.ts';

/** A command and its streams. */
export interface ExecOptions extends CallOptions {
  /** The program and its arguments. No shell reads them: for one, run `['sh', '-c', '…']`. */
  readonly command: readonly string[];
  /** Name of the container. Default: the only container of the Pod; required if it has several. */
  readonly container?: string | undefined;
  /** Input of the command: a text, bytes, or a source such as a `Readable`, which is read as fast as the command reads. Default: none. */
  readonly stdin?: string | Uint8Array | AsyncIterable<string | Uint8Array> | undefined;
  /**
   * Stream for the output; the command waits while the stream is full. The stream is not ended. Default: the output is in the result, which
   * holds at most 16 MiB.
   */
  readonly stdout?: Writable | undefined;
  /** Stream for the error output, like `stdout`. */
  readonly stderr?: Writable | undefined;
  /** True to run the command in a terminal. Its error output then comes with `stdout`. Default: false. */
  readonly tty?: boolean | undefined;
}

/** Outcome of a command. */
export interface ExecResult {
  /** Exit code of the command; 0 is success, and 128 and more stand for a signal. */
  readonly exitCode: number;
  /** Output of the command, unless it went to a stream. */
  readonly stdout: string;
  /** Error output of the command, unless it went to a stream. */
  readonly stderr: string;
}

/** Maximum size of one message of stdin, in bytes. */
const messageSize = 64 * 1024;

/** Maximum size of an output that is collected, in bytes. */
const maxCollected = 16 * 1024 * 1024;

/**
 * Runs a command in a container.
 * @throws ApiError, TransportError, OpSdkError `kube/invalid-request`, errors of the given streams, the signal's reason
 */
export async function exec(
  connection: Connection,
  pod: ObjectKey,
  options: ExecOptions,
): Promise<ExecResult> {
  checkCommand(pod, options);
  const { name, namespace } = pod;
  const { signal } = options;
  const subresource = 'exec';
  const target = { verb: 'create', resource: podResource, subresource, namespace, name };
  const path = resourcePath(podResource, { namespace, name, subresource });
  const call = { target, method: 'GET', path: `${path}?${queryOf(options)}`, signal };
  // Refuse a server that cannot end stdin before the command starts. Otherwise the command would wait forever for the end of its input, or
  // mistake a broken connection for it.
  const [closing] = execProtocols;
  const socket = await connection.upgrade(call, options.stdin === undefined ? execProtocols : [closing]);
  return new Exchange(socket, target, options).run();
}

function checkCommand(pod: ObjectKey, { command, tty, stderr }: ExecOptions): void {
  checkPlace('exec in', podResource, pod);
  if (command.length === 0 || command[0] === '')
    throw invalidRequest(
      podResource,
      pod,
      'expected a command of at least one word, got none',
      "give the program and its arguments: command: ['ls', '/data']",
    );
  if (tty === true && stderr !== undefined)
    throw invalidRequest(
      podResource,
      pod,
      'expected no stderr with tty: true, got a stream',
      'leave stderr out: a terminal has one output, which comes with stdout',
    );
}

function queryOf({ command, container, stdin, tty }: ExecOptions): string {
  const query = new URLSearchParams();
  for (const word of command) query.append('command', word);
  if (container !== undefined) query.append('container', container);
  if (stdin !== undefined) query.append('stdin', 'true');
  query.append('stdout', 'true');
  query.append(tty === true ? 'tty' : 'stderr', 'true');
  return query.toString();
}

/** One command that runs: sends its input, and receives its output and its end. */
class Exchange {
  readonly #socket: UpgradedSocket;
  readonly #target: CallTarget;
  readonly #options: ExecOptions;
  readonly #outputs: readonly Output[];
  #status: Status | undefined;
  #failure: Error | undefined;

  constructor(socket: UpgradedSocket, target: CallTarget, options: ExecOptions) {
    this.#socket = socket;
    this.#target = target;
    this.#options = options;
    const fail = (error: Error): void => this.#fail(error);
    this.#outputs = [options.stdout, options.stderr].map((stream) =>
      stream === undefined ? new Collected(fail) : new Written(stream, fail),
    );
  }

  async run(): Promise<ExecResult> {
    const input = this.#feed();
    try {
      await this.#socket.read((message) => this.#take(message));
      if (this.#failure === undefined)
        for (const output of this.#outputs) await waitFor(output.flushed(), this.#options.signal);
    } finally {
      this.#socket.cancel();
      input.stop();
      for (const output of this.#outputs) output.end();
    }
    if (this.#failure !== undefined) throw this.#failure;
    const [stdout = '', stderr = ''] = this.#outputs.map(({ text }) => text);
    return { exitCode: this.#exitCode(), stdout, stderr };
  }

  #take(message: Buffer): Promise<void> | undefined {
    const data = message.subarray(1);
    const [channel] = message;
    if (channel === channels.stdout) return this.#outputs[0]?.write(data);
    if (channel === channels.stderr) return this.#outputs[1]?.write(data);
    if (channel === channels.status) this.#status ??= this.#readStatus(data);
    return undefined;
  }

  #readStatus(data: Buffer): Status | undefined {
    if (data.length === 0) return undefined;
    const text = data.toString('utf8');
    try {
      const status: unknown = JSON.parse(text);
      if (isStatus(status)) return status;
      // Some servers send a status without its kind.
      if (typeof status === 'object' && status !== null && 'status' in status)
        return { ...status, kind: 'Status' } as Status;
      // A server that cannot connect to the node may send an empty status.
      if (typeof status === 'object' && status !== null)
        return {
          kind: 'Status',
          status: 'Failure',
          message: 'the API server could not run the command on the node, and gave no reason',
        };
    } catch {
      // A container runtime may send its message as plain text.
    }
    return { kind: 'Status', status: 'Failure', message: text };
  }

  #exitCode(): number {
    const status = this.#status;
    if (status === undefined)
      throw new TransportError(
        'kube/connection-lost',
        `the connection broke during ${describeTarget(this.#target)}: the server closed it before the command had ended`,
      );
    if (status.status === 'Success') return 0;
    const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    if (status.reason === 'NonZeroExitCode' && code !== undefined) return Number(code);
    throw new ApiError(this.#target, status.code ?? 500, status);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#socket.cancel();
  }

  /** Sends the input as fast as the server reads it. */
  #feed(): { stop(): void } {
    const { stdin } = this.#options;
    if (stdin === undefined) return { stop: () => undefined };
    const source = isIterable(stdin) ? stdin[Symbol.asyncIterator]() : undefined;
    let isStopped = false;
    const stop = (): void => {
      if (isStopped) return;
      isStopped = true;
      // Do not wait for a source that delivers nothing.
      Promise.resolve(source?.return?.()).catch(() => undefined);
    };
    // The command may end before it has read its input. Its exit code shows if this is a failure.
    const send = (message: Buffer): Promise<void> => this.#socket.send(message).catch(stop);
    const sendAll = async (value: string | Uint8Array): Promise<void> => {
      const bytes = Buffer.from(value as Uint8Array);
      for (let start = 0; start < bytes.length && !isStopped; start += messageSize)
        await send(messageOn(channels.stdin, bytes.subarray(start, start + messageSize)));
    };
    const pump = async (): Promise<void> => {
      if (source === undefined) await sendAll(stdin as string | Uint8Array);
      while (source !== undefined && !isStopped) {
        const next = await source.next();
        if (next.done === true) break;
        await sendAll(next.value);
      }
      if (!isStopped) await send(Buffer.from([channels.close, channels.stdin]));
    };
    pump().catch((error: unknown) => {
      if (!isStopped) this.#fail(toError(error));
    });
    return { stop };
  }
}

function isIterable(value: NonNullable<ExecOptions['stdin']>): value is AsyncIterable<string | Uint8Array> {
  return typeof value === 'object' && Symbol.asyncIterator in value;
}

/** Receiver of an output. */
interface Output {
  readonly text: string;
  /** Writes a part of the output. @returns a promise while the receiver is full */
  write(data: Buffer): Promise<void> | undefined;
  flushed(): Promise<void>;
  end(): void;
}

/** Collects an output as text. */
class Collected implements Output {
  readonly #fail: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(fail: (error: Error) => void) {
    this.#fail = fail;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  write(data: Buffer): undefined {
    this.#size += data.length;
    if (this.#size <= maxCollected) this.#chunks.push(data);
    else
      this.#fail(
        new TransportError(
          'kube/bad-response',
          `exec: expected at most ${maxCollected} bytes of output, got more`,
          {
            fix: ['give exec a stream for it: stdout or stderr'],
          },
        ),
      );
  }

  flushed(): Promise<void> {
    return Promise.resolve();
  }

  end(): void {
    // Nothing is held.
  }
}

/** Writes an output into a stream. */
class Written implements Output {
  readonly text = '';
  readonly #stream: Writable;
  readonly #onError: (error: Error) => void;
  readonly #onClose: () => void;
  #waiting: (() => void) | undefined;
  #draining: Promise<void> | undefined;

  constructor(stream: Writable, fail: (error: Error) => void) {
    this.#stream = stream;
    this.#onError = (error) => {
      fail(error);
      this.#go();
    };
    this.#onClose = () => this.#onError(new Error('the stream for the output was closed'));
    stream.on('error', this.#onError).on('close', this.#onClose);
  }

  write(data: Buffer): Promise<void> | undefined {
    // A stream that was closed before the command began reports nothing.
    if (this.#stream.destroyed) this.#onClose();
    if (this.#stream.destroyed || this.#stream.write(data)) return undefined;
    this.#draining ??= new Promise<void>((resolve) => {
      this.#waiting = resolve;
      this.#stream.once('drain', this.#go);
    });
    return this.#draining;
  }

  flushed(): Promise<void> {
    return this.#draining ?? Promise.resolve();
  }

  end(): void {
    this.#stream.off('error', this.#onError).off('close', this.#onClose).off('drain', this.#go);
    this.#go();
  }

  readonly #go = (): void => {
    this.#waiting?.();
    this.#waiting = undefined;
    this.#draining = undefined;
  };
}
