import { channel } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { OpSdkError } from '../../../../base/errors/index.ts';
import type { Connection, Client } from '../../../kube/index.ts';
import { systemClock } from '../../../net/index.ts';
import type { CertificateFiles } from '../../certificate/index.ts';
import type { ControllerClient } from '../../client/index.ts';
import type { HubConversion } from '../../conversion/index.ts';
import type { KeyPair } from '../../../x509/certificate-authority.ts';
import type { Logger } from '../../create-logger.ts';
import type { RunningServer } from '../../http/index.ts';
import { listenSecurely, type SecureServer } from '../../http/secure-server.ts';
import type { RequestHandler } from '../../http/serve.ts';
import type { AdmissionEnvironment } from '../admission/answer-admission.ts';
import { ServedSchemas } from '../admission/served-schemas.ts';
import type { AnyWebhook } from '../webhook.ts';
import type { ConversionKeys } from '../conversion-key/conversion-keys.ts';
import { BodyBudget, readBody, webhookCertificate, type SelfSignedSource } from './read-body.ts';
import {
  routesOf,
  type Reply,
  type Route,
  RequestScope,
  webhookMetrics,
  type WebhookMetrics,
} from './routes.ts';

/**
 * Milliseconds for which an idle connection is kept open. The API server closes idle connections earlier, so this server never closes one
 * while a request is in flight.
 */
const IDLE_MS = 120_000;

/**
 * Minimum time in milliseconds for requests to end when the server is closed. The Pod of the scaffold has twice this time left after the
 * drain.
 */
const LAST_MS = 5000;

/** Default port of the webhook server. Source: controller-runtime `pkg/webhook`. */
const DEFAULT_PORT = 9443;

/** The message of the channel `opsdk:webhook`: a request has come to the path of a webhook, or of conversions. */
export interface WebhookMessage {
  /** URL path of the webhook, without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed body of the request, with unchecked content; set when the body has arrived. */
  review: unknown;
  /** The failure of the webhook or conversion, or of handling the request; a refusal is not a failure. */
  error: unknown;
  /**
   * Answers the request, and resolves to the answer; to undefined if the client has left before. Never rejects. A subscriber may replace it
   * by a function that calls it once and returns its result, for example in an async context of its own.
   */
  run: () => Promise<Reply | undefined>;
}

const webhookRequests = channel('opsdk:webhook');

export interface WebhookServerOptions {
  /** Webhooks and conversions that were added to the manager. */
  readonly items: readonly (AnyWebhook | HubConversion)[];
  /** Port of the server. Default: 9443. */
  readonly port?: number | undefined;
  /** Address on which the server listens. Default: all interfaces. */
  readonly host?: string | undefined;
  readonly certificate?: CertificateFiles | undefined;
  /** Settings with which the operator creates its certificate itself. */
  readonly selfSigned?: SelfSignedSource | undefined;
  readonly http2: boolean;
  /** Client that reads stored objects for conversions. */
  readonly stored: Pick<Client, 'find'>;
  /** Keys that sign conversion data; stopped with the server. Default: the key of this process. */
  readonly conversionKeys?: ConversionKeys | undefined;
  /** Connection that is used to read the schema of a kind on demand. */
  readonly connection: Pick<Connection, 'request'>;
  /** Returns the client for one request. The signal aborts the calls of this client. */
  readonly clientFor: (signal: AbortSignal) => ControllerClient;
  readonly log: Logger;
  /** Signal that aborts the work of all requests. */
  readonly signal: AbortSignal;
  /** Time in milliseconds that running requests have to end when the server is closed. */
  readonly gracePeriod: number;
  /** Maximum memory in bytes for the bodies of all requests together. Default: 64 MiB. */
  readonly bodyBudget?: number | undefined;
}

/** A running webhook server. */
export interface WebhookServer extends RunningServer {
  /**
   * Call this before the server is closed. The server continues to answer, but sends `Connection: close`, so that clients open their next
   * connection to another replica.
   */
  leave(): void;
  /** Returns the number of bytes in the bodies of unanswered requests. */
  bodyBytes(): number;
  /**
   * @throws OpSdkError `runtime/webhook-untrusted` while the API server cannot trust the certificate of the server,
   * `runtime/conversion-key-missing` while no key for conversion data is known
   */
  check(): void;
}

/** State of a webhook server that all its requests share. */
interface Serving {
  readonly routes: ReadonlyMap<string, { readonly route: Route; readonly metrics: WebhookMetrics }>;
  readonly schemas: ServedSchemas;
  readonly options: WebhookServerOptions;
  readonly running: Set<Promise<void>>;
  readonly budget: BodyBudget;
  /** Time at which `leave` was called, in milliseconds of the monotonic clock; undefined before the call. */
  leftAt: number | undefined;
}

/**
 * Serves webhooks and conversions over HTTPS until the server is closed. A closed server accepts no new connections, and running requests
 * may end within their time limit.
 *
 * @throws OpSdkError `runtime/duplicate-webhook`, `runtime/invalid-manager`, `runtime/cannot-listen`, `runtime/certificate-unreadable`,
 * `runtime/webhook-certificate-missing`
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const { items, port = DEFAULT_PORT, host, log, http2, connection, gracePeriod } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new OpSdkError({
      code: 'runtime/invalid-manager',
      message: `webhooks.port: expected a port number, got ${JSON.stringify(port)}`,
      fix: ['give a number from 1 to 65535, or leave it out for 9443; 0 for any free one'],
    });
  const { stored: client, conversionKeys } = options;
  const routes = routesOf(items, { client, keys: conversionKeys });
  const serving: Serving = {
    routes: new Map([...routes].map(([path, route]) => [path, { route, metrics: webhookMetrics(path) }])),
    schemas: new ServedSchemas(connection, log),
    options,
    running: new Set(),
    budget: new BodyBudget(options.bodyBudget),
    leftAt: undefined,
  };
  const shown: { latest?: KeyPair; server?: SecureServer } = {};
  const certificate = await webhookCertificate({
    ...{ files: options.certificate, selfSigned: options.selfSigned, definitions: definitionsOf(items), log },
    onChange: (pair) => {
      // Remember the certificate and its key, because the server may not be listening yet.
      shown.latest = pair;
      shown.server?.renew(pair);
    },
  });
  const server = await listenSecurely({
    purpose: { name: 'webhooks', flag: '--webhook-port', example: '9444' },
    address: host === undefined ? { port } : { host, port },
    handler: handlerOf(serving),
    report: (error) => log.error({ error }, 'Cannot accept a connection'),
    certificate: certificate.pair,
    http2,
    idle: IDLE_MS,
  }).catch(async (error: unknown) => {
    await certificate.stop();
    throw error;
  });
  shown.server = server;
  if (shown.latest !== undefined) server.renew(shown.latest);
  log.info({ port: server.port, paths: [...routes.keys()] }, 'Serving webhooks');
  const leave = (): void => void (serving.leftAt ??= systemClock.now());
  return {
    port: server.port,
    leave,
    bodyBytes: () => serving.budget.used,
    check: () => {
      certificate.check?.();
      conversionKeys?.check();
    },
    close: async () => {
      leave();
      const spent = systemClock.now() - (serving.leftAt ?? 0);
      await certificate.stop();
      await server.close(
        allEnded(serving.running, Math.max(gracePeriod - spent, Math.min(gracePeriod, LAST_MS))),
      );
      await conversionKeys?.stop();
    },
  };
}

/** Returns the names of the CustomResourceDefinitions whose conversions are served. */
function definitionsOf(items: WebhookServerOptions['items']): readonly string[] {
  return items.flatMap((item) =>
    item.role === 'conversion' ? [`${item.hub.plural}.${item.hub.group}`] : [],
  );
}

async function allEnded(running: ReadonlySet<Promise<void>>, milliseconds: number): Promise<void> {
  let cancel: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (cancel = systemClock.after(milliseconds, resolve)));
  await Promise.race([Promise.all(running), late]);
  cancel();
}

function handlerOf(serving: Serving): RequestHandler {
  return (given, answering) => {
    // The requests of HTTP/1 and HTTP/2 have the same interface for this code, but TypeScript has no common type for them.
    const request = given as IncomingMessage;
    const response = answering as ServerResponse;
    const { url = '', method } = request;
    const mark = url.indexOf('?');
    const found = serving.routes.get(mark < 0 ? url : url.slice(0, mark));
    if (found === undefined || method !== 'POST') {
      const status = found === undefined ? 404 : 405;
      const body = { message: found === undefined ? 'not found' : 'expected POST' };
      request.resume();
      send(response, { status, body }, serving.leftAt !== undefined && request.httpVersionMajor === 1);
      return;
    }
    const scope = new RequestScope(mark < 0 ? '' : url.slice(mark + 1), serving.options.signal);
    const ended = handle(found, request, response, scope, serving).finally(() =>
      serving.running.delete(ended),
    );
    serving.running.add(ended);
  };
}

/** Answers a request with its route. The returned promise never rejects. */
async function handle(
  { route, metrics }: { readonly route: Route; readonly metrics: WebhookMetrics },
  request: IncomingMessage,
  response: ServerResponse,
  scope: RequestScope,
  serving: Serving,
): Promise<void> {
  const log = serving.options.log.child({ webhook: route.path });
  metrics.began();
  // A webhook function that never ends must not count as running after its client has disconnected.
  const left = new Promise<undefined>((resolve) => {
    response.once('close', () => {
      if (!response.writableEnded) {
        scope.leave('the API server has closed the connection');
        resolve(undefined);
      }
    });
  });
  const message: WebhookMessage = {
    path: route.path,
    headers: request.headers,
    review: undefined,
    error: undefined,
    run: async () => {
      const reply = await Promise.race([
        left,
        replyTo(request, response, route, log, scope, serving, message),
      ]);
      if (reply === undefined)
        log.warn(
          { milliseconds: Math.round(scope.milliseconds) },
          'Webhook not answered: the client has left',
        );
      return reply;
    },
  };
  if (webhookRequests.hasSubscribers) webhookRequests.publish(message);
  const reply = await message.run();
  scope.end();
  metrics.ended(reply?.status, scope.milliseconds / 1000);
  if (reply !== undefined)
    send(response, reply, serving.leftAt !== undefined && request.httpVersionMajor === 1);
}

/** Returns the reply to a request; undefined if the client no longer waits for it. */
async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  log: Logger,
  scope: RequestScope,
  serving: Serving,
  message: WebhookMessage,
): Promise<Reply | undefined> {
  const refuse = (code: 400 | 413 | 429, reason: string): Reply => {
    log.error({ code, reason }, 'Invalid request to a webhook');
    return route.refuse(code, reason);
  };
  try {
    const body = await readBody(request, response, serving.budget);
    if (body === undefined) return undefined;
    if ('code' in body) return refuse(body.code, body.message);
    const type = request.headers['content-type'] ?? 'nothing';
    if (!/^application\/json\s*(;|$)/i.test(type))
      return refuse(400, `content-type: expected application/json, got ${type.slice(0, 100)}`);
    try {
      message.review = JSON.parse(body.text);
    } catch {
      return refuse(400, 'the body is not JSON');
    }
    const { clientFor } = serving.options;
    const environment: AdmissionEnvironment = {
      log,
      signal: scope.signal,
      client: () => clientFor(scope.signal()),
      typeFault: (kind, object) => serving.schemas.typeFault(kind, object),
      onFailure: (error, isPanic) => {
        if (isPanic) route.panics.inc();
        message.error = error;
      },
    };
    return await route.answer(message.review, environment);
  } catch (error) {
    message.error = error;
    // A hostile body can cause this error: it may be nested too deeply for the stack.
    log.error({ error }, 'Webhook failed');
    return route.refuse(500, 'the webhook failed');
  }
}

function send(response: ServerResponse, reply: Reply, isLast: boolean): void {
  if (response.destroyed || response.writableEnded) return;
  let { status } = reply;
  let text: string;
  try {
    text = JSON.stringify(reply.body);
  } catch {
    status = 500;
    text = '{}';
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(isLast ? { connection: 'close' } : {}),
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  });
  response.end(text);
}
