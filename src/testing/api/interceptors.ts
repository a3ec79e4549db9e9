import type { JsonObject } from '../../kubernetes/objects/index.ts';
import type { ApiRequest } from './requests/route.ts';
import type { Answer } from './requests/writer.ts';
import { StatusError } from './status-error.ts';
import type { InterceptAnswer, InterceptMatch, Refusal, TestRequest } from './types.ts';

interface Interception {
  readonly match: InterceptMatch;
  readonly answer: InterceptAnswer;
  readonly state: { used: number };
}

/** The `reason` of an error by HTTP status code. Source: apimachinery `metav1.StatusReason`, `NewGenericServerResponse`. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Answers that a test has prepared for matching requests. */
export class Interceptors {
  readonly #all: Interception[] = [];

  add(match: InterceptMatch, answer: InterceptAnswer): { readonly used: number } {
    const state = { used: 0 };
    this.#all.push({ match, answer, state });
    return {
      get used() {
        return state.used;
      },
    };
  }

  /**
   * Returns the answer that the test has prepared for a request.
   * @returns undefined to let the server answer
   * @throws the error that the test has prepared
   */
  async answer(request: TestRequest): Promise<Answer | undefined> {
    const found = this.#all.find(
      ({ match, state }) => state.used < (match.times ?? 1) && matches(match, request),
    );
    if (found === undefined) return undefined;
    found.state.used += 1;
    const { answer } = found;
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'object') throw refusal(answer);
    const body = await answer(request);
    return body === undefined ? undefined : { status: 200, body: body as JsonObject };
  }
}

function matches({ verb, resource, subresource }: InterceptMatch, request: TestRequest): boolean {
  return (
    verb === request.verb &&
    (resource === undefined ||
      (resource.apiVersion === request.resource.apiVersion && resource.plural === request.resource.plural)) &&
    (subresource === undefined || subresource === (request.subresource ?? ''))
  );
}

function refusal({
  code,
  reason = reasons[code] ?? '',
  message = reason,
  retryAfterSeconds,
}: Refusal): StatusError {
  return new StatusError(code, reason, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

/** Converts a request to the `TestRequest` that tests get. */
export function toTestRequest(request: ApiRequest): TestRequest {
  const { verb, kind, subresource, namespace, name, body, query } = request;
  const { group, version, plural, apiVersion } = kind;
  return {
    verb,
    resource: { group, version, kind: kind.kind, plural, apiVersion },
    subresource,
    key: { name: name === '' ? undefined : name, namespace: namespace === '' ? undefined : namespace },
    body,
    dryRun: query.get('dryRun') === 'All',
  };
}
