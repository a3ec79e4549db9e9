// @ts-check
/**
 * Loaded into an operator by `op-sdk dev --ui`, before its first line: tells op-sdk over a socket what the controllers do, as long as
 * a page is open there. It uses nothing but Node and the diagnostics channels of the runtime, and never disturbs the operator.
 *
 * JavaScript, so that Node runs this very file from the sources and from dist/ alike.
 */
import { subscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';

/**
 * @typedef {import('./messages.ts').FeedController} FeedController
 * @typedef {import('./messages.ts').FeedError} FeedError
 * @typedef {import('./messages.ts').FeedKind} FeedKind
 * @typedef {import('./messages.ts').FeedMessage} FeedMessage
 * @typedef {import('./messages.ts').FeedRefusal} FeedRefusal
 * @typedef {import('./messages.ts').FeedRequest} FeedRequest
 * @typedef {import('./messages.ts').FeedRun} FeedRun
 * @typedef {import('../../../sdk/runtime/controller/index.ts').ReconcileObservation} ReconcileObservation
 * @typedef {import('../../../sdk/runtime/diagnostics.ts').ControllerMessage} ControllerMessage
 * @typedef {import('../../../sdk/runtime/diagnostics.ts').QueueMessage} QueueMessage
 */

/** Milliseconds between two messages. */
const interval = 100;

/** Runs and refusals that wait to be sent; before somebody looks these are the last ones. */
const most = 500;

/** Characters of an error's message. */
const longest = 2000;

const address = process.env['OP_SDK_LIVE_FEED'];
// Processes that the operator starts are not the operator.
delete process.env['OP_SDK_LIVE_FEED'];
if (address !== undefined) feed(address);

/** @param {string} path */
function feed(path) {
  /** @type {FeedController[]} */
  const controllers = [];
  /** @type {ReconcileObservation[]} */
  const runs = [];
  /** @type {FeedRefusal[]} */
  const refusals = [];
  /** @type {Map<string, number>} */
  const depths = new Map();
  let dropped = 0;
  let looking = false;
  /** What has changed since it was sent. */
  const news = { controllers: false, depths: false };
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  const socket = connect(path);
  socket.unref();
  // Whoever wanted to know has gone: op-sdk, which then ends the operator anyway.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    looking = false;
    clearTimeout(timer);
  });
  onLines(socket, (line) => {
    const request = /** @type {FeedRequest} */ (JSON.parse(line));
    if (request.looking && !looking) news.controllers = news.depths = true;
    looking = request.looking;
    if (looking) soon();
  });

  function soon() {
    if (!looking || timer !== undefined) return;
    timer = setTimeout(tell, interval);
    timer.unref();
  }

  function tell() {
    timer = undefined;
    // A reader that is slower than the operator gets the last ones later.
    if (!looking || socket.writableNeedDrain) return;
    /** @type {FeedMessage} */
    const message = {
      ...(news.controllers ? { controllers } : {}),
      ...(news.depths ? { depths: Object.fromEntries(depths) } : {}),
      ...(runs.length > 0 ? { runs: runs.splice(0).map(describeRun) } : {}),
      ...(refusals.length > 0 ? { refusals: refusals.splice(0) } : {}),
      ...(dropped > 0 ? { dropped } : {}),
    };
    dropped = 0;
    news.controllers = news.depths = false;
    if (Object.keys(message).length > 0) socket.write(`${JSON.stringify(message)}\n`);
  }
  socket.on('drain', soon);

  subscribe('opsdk:controller', (message) => {
    const { controller, for: resource, owns } = /** @type {ControllerMessage} */ (message);
    controllers.push({ name: controller, for: kindOf(resource), owns: owns.map(kindOf) });
    news.controllers = true;
    soon();
  });
  subscribe('opsdk:reconcile', (message) => {
    runs.push(/** @type {ReconcileObservation} */ (message));
    if (runs.length > most) {
      runs.shift();
      if (looking) dropped++;
    }
    soon();
  });
  subscribe('opsdk:queue', (message) => {
    const { controller, depth } = /** @type {QueueMessage} */ (message);
    depths.set(controller, depth);
    news.depths = true;
    soon();
  });
  subscribe('opsdk:refusal', (message) => {
    refusals.push({ ...describeError(message), time: Date.now() });
    if (refusals.length > most) refusals.shift();
    soon();
  });
}

/**
 * @param {import('node:net').Socket} socket
 * @param {(line: string) => void} onLine
 */
function onLines(socket, onLine) {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (/** @type {string} */ text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

/**
 * @param {FeedKind} resource
 * @returns {FeedKind}
 */
function kindOf({ group, version, kind, plural, namespaced }) {
  return { group, version, kind, plural, namespaced };
}

/**
 * @param {ReconcileObservation} run
 * @returns {FeedRun}
 */
function describeRun({ controller, kind, key, reconcileID, attempt, duration, requests, result, ...rest }) {
  const { trigger, start, error, nextTry } = rest;
  return {
    ...{ controller, kind, name: key.name, reconcileID, attempt, requests, result },
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    trigger: describeTrigger(trigger),
    start: start.getTime(),
    duration: Math.round(duration * 100) / 100,
    ...(result === 'error' ? { error: describeError(error) } : {}),
    ...(nextTry === undefined ? {} : { nextTry: nextTry.getTime() }),
  };
}

/** @param {ReconcileObservation['trigger']} trigger */
function describeTrigger(trigger) {
  if (trigger === undefined) return '';
  const { type, source = '', event, object } = trigger;
  if (type === 'requeue' || type === 'retry') return type;
  if (event === undefined || object === undefined) return source;
  const { namespace, name } = object;
  return `${event} of ${source} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/**
 * @param {unknown} error
 * @returns {FeedError}
 */
function describeError(error) {
  if (!(error instanceof Error)) return { message: String(error).slice(0, longest), fix: [] };
  const { findings, summary } =
    /** @type {{ summary?: string, findings?: readonly { code?: string, fix?: readonly string[] }[] }} */ (
      /** @type {unknown} */ (error)
    );
  const [first] = findings ?? [];
  return {
    message: (summary ?? error.message).slice(0, longest),
    ...(first?.code === undefined ? {} : { code: first.code }),
    fix: first?.fix ?? [],
  };
}
