// @ts-check
/**
 * The program of the guardian, a process of its own between us and the processes we start. When its owner goes, however rudely, the
 * channel between the two closes, and the guardian ends what it has started and removes the folders that it was given as arguments.
 *
 * JavaScript, so that Node runs this very file from the sources and from dist/ alike.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * @typedef {import('./guardian.ts').GuardianRequest} GuardianRequest
 * @typedef {import('./guardian.ts').GuardianReport} GuardianReport
 * @typedef {import('./guardian.ts').SpawnMessage} SpawnMessage
 * @typedef {{ child: import('node:child_process').ChildProcess, grace: number, killer?: NodeJS.Timeout }} Running
 */

const folders = process.argv.slice(2);
/** @type {Map<number, Running>} */
const running = new Map();
let stopping = false;

/** @param {GuardianReport} message */
function report(message) {
  // A failure to report means that the owner has gone; the disconnect event takes care of that.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/**
 * SIGKILL goes to the whole process group, so that a build's compilers end with it. Other signals are for the process alone, which
 * ends its children in its own order.
 *
 * @param {Running} entry
 * @param {NodeJS.Signals} signal
 */
function kill({ child }, signal) {
  if (child.pid === undefined) return;
  const group = signal === 'SIGKILL' && process.platform !== 'win32';
  try {
    process.kill(group ? -child.pid : child.pid, signal);
  } catch {
    // It has ended on its own in the meantime.
  }
}

function finishIfIdle() {
  if (!stopping || running.size > 0) return;
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  if (process.connected) process.disconnect();
}

function stop() {
  if (stopping) return;
  stopping = true;
  for (const entry of running.values()) {
    kill(entry, entry.grace === 0 ? 'SIGKILL' : 'SIGTERM');
    if (entry.grace > 0) entry.killer = setTimeout(() => kill(entry, 'SIGKILL'), entry.grace);
  }
  finishIfIdle();
}

/**
 * @param {SpawnMessage['logFiles']} logFiles
 * @returns {{ stdio: import('node:child_process').StdioOptions, close: () => void }}
 */
function openLogs(logFiles) {
  if (logFiles === undefined) return { stdio: ['ignore', 'inherit', 'inherit'], close: () => undefined };
  const out = openSync(logFiles.stdout, 'a', 0o600);
  const error = logFiles.stderr === logFiles.stdout ? out : openSync(logFiles.stderr, 'a', 0o600);
  const close = () => {
    closeSync(out);
    if (error !== out) closeSync(error);
  };
  return { stdio: ['ignore', out, error], close };
}

/**
 * Connects the three standard streams of a process to its owner, who listens on a Unix socket. The first byte on each connection is the
 * number of its stream. The process gets the connections themselves, so that nothing passes through the guardian.
 *
 * @param {string} path
 * @returns {Promise<{ stdio: import('node:child_process').StdioOptions, close: () => void }>}
 */
async function connectStreams(path) {
  const sockets = [0, 1, 2].map(() => connect(path).pause());
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  try {
    await Promise.all(
      sockets.map(
        (socket, index) =>
          new Promise((resolve, reject) => {
            socket.once('error', reject);
            socket.write(Buffer.from([index]), () => resolve(undefined));
          }),
      ),
    );
  } catch (error) {
    close();
    throw error;
  }
  return { stdio: sockets, close };
}

/** @param {SpawnMessage} request */
async function start({ id, command, args, cwd, env, logFiles, streams, grace }) {
  try {
    const { stdio, close } = streams === undefined ? openLogs(logFiles) : await connectStreams(streams);
    if (stopping) {
      close();
      return report({ type: 'failed', id, message: 'the guardian is stopping' });
    }
    const child = spawn(command, args, { cwd, env, stdio, detached: true, windowsHide: true });
    close();
    child.on('error', (error) => {
      if (child.pid === undefined) report({ type: 'failed', id, message: error.message });
    });
    if (child.pid === undefined) return;
    /** @type {Running} */
    const entry = { child, grace };
    running.set(id, entry);
    report({ type: 'spawned', id, pid: child.pid });
    child.on('exit', (code, signal) => {
      clearTimeout(entry.killer);
      running.delete(id);
      // A process that outlived its parent would hold the streams open, and nobody would end it.
      if (streams !== undefined) kill(entry, 'SIGKILL');
      report({ type: 'exited', id, code, signal });
      finishIfIdle();
    });
  } catch (error) {
    report({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

process.title = `op-sdk-guardian ${folders.join(' ')}`;
process.on('message', (/** @type {GuardianRequest} */ request) => {
  if (request.type === 'spawn') return void start(request);
  if (request.type === 'stop') return stop();
  const entry = running.get(request.id);
  if (entry !== undefined) kill(entry, request.signal);
});
process.on('disconnect', stop);
// An owner that was killed while this module was loaded has gone without a listener.
if (!process.connected) stop();
// Whoever ends the guardian means what it looks after.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
