import type { Counter } from 'prom-client';
import { FindingList } from '../../../../base/errors/index.ts';
import type { HubConversion } from '../../conversion/index.ts';
import { conversionPanics, webhookPanics } from '../../metrics/common-metrics.ts';
import {
  answerAdmission,
  unreadableReview,
  type AdmissionEnvironment,
  type Door,
} from '../admission/answer-admission.ts';
import { failure } from '../admission/refusal-of.ts';
import { CONVERSION_PATH, webhookName } from '../define-webhook.ts';
import type { AnyWebhook } from '../webhook.ts';
import { ConversionReviews, type ConversionParts } from './conversion-reviews.ts';

/** A path and its handler. */
export interface Route {
  readonly path: string;
  /** Counts mistakes in the code that answers. */
  readonly panics: Counter;
  /** The answer to a parsed body, whatever that is. */
  readonly answer: (review: unknown, environment: AdmissionEnvironment) => Promise<Reply>;
  /** The answer to what could not be parsed. */
  readonly refuse: (code: 400 | 413 | 429 | 500, message: string) => Reply;
}

/** HTTP status and JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The paths of webhooks and conversions.
 *
 * @throws OpSdkError `runtime/duplicate-webhook` with all paths that are there twice
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
        message: `two webhooks at ${path}: ${other === owner ? `${owner} twice` : `${other} and ${owner}`}`,
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
  return {
    path,
    panics: webhookPanics,
    refuse: (code, message) => ({ status: code, body: unreadableReview(code, message) }),
    answer: async (review, environment) => {
      const body = await answerAdmission(webhook, door, review, environment);
      const { uid, status } = body.response;
      // The API server shows the message of an answer only if it has the uid of its request.
      return { status: uid === '' ? (status.code ?? 400) : 200, body };
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
