import type { Counter } from 'prom-client';
import { FindingList } from '../../../../base/errors/index.ts';
import type { HubConversion } from '../../conversion/index.ts';
import {
  conversionPanics,
  webhookDenials,
  webhookPanics,
  webhookLatency,
  webhookRequests,
  webhookRequestsInFlight,
} from '../../metrics/common-metrics.ts';
import {
  answerAdmission,
  unreadableReview,
  type AdmissionEnvironment,
  type Door,
} from '../admission/answer-admission.ts';
import { failure } from '../admission/json-difference.ts';
import { CONVERSION_PATH, webhookName } from '../define-webhook.ts';
import type { AnyWebhook } from '../webhook.ts';
import { ConversionReviews, type ConversionParts } from './conversion-reviews.ts';

/** A URL path of the webhook server, and the handler of its requests. */
export interface Route {
  readonly path: string;
  /** Counts failures caused by mistakes in the code of the handler. */
  readonly panics: Counter;
  /** Answers a review: the parsed body of a request, with unchecked content. */
  readonly answer: (review: unknown, environment: AdmissionEnvironment) => Promise<Reply>;
  /** Returns the answer to a request whose body could not be read or parsed. */
  readonly refuse: (code: 400 | 413 | 429 | 500, message: string) => Reply;
}

/** An HTTP answer: its status and its JSON body. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Returns the routes of webhooks and conversions.
 *
 * @throws OpSdkError `runtime/duplicate-webhook` with all duplicate paths
 */
export function routesOf(
  items: readonly (AnyWebhook | HubConversion)[],
  parts: Omit<ConversionParts, 'conversions'>,
): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const owners = new Map<string, string>();
  const findings = new FindingList();
  const claim = (path: string, owner: string, fix: string): void => {
    const other = owners.get(path);
    if (other === undefined) owners.set(path, owner);
    else
      findings.add({
        code: 'runtime/duplicate-webhook',
        message: `two webhooks have the same path ${path}: ${other === owner ? `${owner} twice` : `${other} and ${owner}`}`,
        where: { object: owner, path },
        fix: [fix],
      });
  };
  const conversions: HubConversion[] = [];
  for (const item of items) {
    if (item.role === 'conversion') {
      const { group, kind } = item.hub;
      claim(
        `${CONVERSION_PATH} for ${kind}.${group}`,
        `conversion of ${kind}.${group}`,
        'declare all versions of a kind in one defineConversion, and add it once',
      );
      conversions.push(item);
      continue;
    }
    for (const [door, path] of doorsOf(item)) {
      claim(
        path,
        webhookName(item.for),
        'add each webhook once, or give one of them a path of its own: defaulting: { path }, validation: { path }',
      );
      routes.set(path, admissionRoute(item, door, path));
    }
  }
  findings.throwIfAny();
  if (conversions.length > 0)
    routes.set(CONVERSION_PATH, conversionRoute(new ConversionReviews({ ...parts, conversions })));
  return routes;
}

function doorsOf({ defaultingPath, validationPath }: AnyWebhook): readonly (readonly [Door, string])[] {
  const doors = [
    ['defaulting', defaultingPath],
    ['validation', validationPath],
  ] as const;
  return doors.flatMap(([door, path]) => (path === undefined ? [] : [[door, path] as const]));
}

function admissionRoute(webhook: AnyWebhook, door: Door, path: string): Route {
  const denials = webhookDenials.labels(path);
  denials.inc(0);
  return {
    path,
    panics: webhookPanics,
    refuse: (code, message) => ({ status: code, body: unreadableReview(code, message) }),
    answer: async (review, environment) => {
      const body = await answerAdmission(webhook, door, review, environment);
      const { uid, allowed, status } = body.response;
      // The API server shows the message of an answer only if the answer contains the uid of the request.
      if (uid === '') return { status: status.code ?? 400, body };
      if (!allowed) denials.inc();
      return { status: 200, body };
    },
  };
}

function conversionRoute(reviews: ConversionReviews): Route {
  const refuse: Route['refuse'] = (code, message) => ({
    status: code,
    body: {
      apiVersion: 'v1',
      ...failure(
        code,
        code === 500 ? 'InternalError' : code === 429 ? 'TooManyRequests' : 'BadRequest',
        message,
      ),
    },
  });
  return {
    path: CONVERSION_PATH,
    refuse,
    panics: conversionPanics,
    answer: async (review, environment) => {
      const body = await reviews.answer(review, environment);
      return { status: body.response.uid === '' ? 400 : 200, body };
    },
  };
}

/** Maximum time for which the API server waits for a webhook, in milliseconds. Source: admissionregistration.k8s.io/v1 `timeoutSeconds`. */
const LONGEST_MS = 30_000;

/** The time limit of one request. The abort signal of the request is created on demand. */
export class RequestScope {
  readonly #began = performance.now();
  readonly #milliseconds: number;
  readonly #stop: AbortSignal;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #gone: Error | undefined;

  /**
   * @param query query of the URL, to which the API server adds the time limit, such as `timeout=10s`
   * @param stop signal that aborts all requests
   */
  constructor(query: string, stop: AbortSignal) {
    const seconds = Number(/(?:^|&)timeout=(\d{1,3})s(?:&|$)/.exec(query)?.[1] ?? NaN);
    this.#milliseconds = seconds > 0 ? Math.min(seconds * 1000, LONGEST_MS) : LONGEST_MS;
    this.#stop = stop;
  }

  /** Milliseconds since the request arrived. */
  get milliseconds(): number {
    return performance.now() - this.#began;
  }

  readonly signal = (): AbortSignal => {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#gone !== undefined) controller.abort(this.#gone);
    else if (this.#stop.aborted) controller.abort(this.#stop.reason);
    else {
      this.#stop.addEventListener('abort', this.#onStop, { once: true });
      this.#timer = setTimeout(
        () => this.leave(`the API server waits no longer than ${this.#milliseconds / 1000} s`),
        this.#milliseconds - this.milliseconds,
      );
      this.#timer.unref();
    }
    return controller.signal;
  };

  /** Call this when the client no longer waits for the answer. */
  leave(reason: string): void {
    this.#gone ??= new Error(reason);
    this.end();
    this.#controller?.abort(this.#gone);
  }

  /** Call this when the request is answered. */
  end(): void {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener('abort', this.#onStop);
  }

  readonly #onStop = (): void => {
    this.end();
    this.#controller?.abort(this.#stop.reason);
  };
}

/** Value of the metric label `code` for requests whose client disconnected before the answer. */
const LEFT = '499';

/** The metrics of the requests to one path. */
export interface WebhookMetrics {
  began(): void;
  /** @param status HTTP status of the answer; undefined if the client disconnected before the answer */
  ended(status: number | undefined, seconds: number): void;
}

/** Creates the metric series of a path. Series of likely status codes begin at 0, so that a rate over them includes the first request. */
export function webhookMetrics(path: string): WebhookMetrics {
  const label = { webhook: path };
  for (const code of ['200', '500']) webhookRequests.inc({ ...label, code }, 0);
  const inFlight = webhookRequestsInFlight.labels(label);
  const latency = webhookLatency.labels(label);
  inFlight.set(0);
  webhookLatency.zero(label);
  return {
    began: () => inFlight.inc(),
    ended(status, seconds) {
      inFlight.dec();
      latency.observe(seconds);
      webhookRequests.inc({ ...label, code: status === undefined ? LEFT : String(status) });
    },
  };
}
