import { messageOf } from '../../../base/errors/index.ts';
import type { Answer, Answerer } from './serve.ts';

/** Result of a check that passes and reports something. */
export interface HealthReport {
  /** The part that does not work as it should, while the rest does. */
  readonly degraded: string;
}

/** Returns nothing if all is well, a {@link HealthReport} if that should be seen, and throws the reason if the check fails. */
export type HealthCheck = () => HealthReport | undefined | void | Promise<HealthReport | undefined | void>;

interface Result {
  readonly failure?: string;
  readonly degraded?: string;
}

/**
 * The checks behind `/healthz` and `/readyz`, by name. Answers like a Kubernetes component: `ok`, or status 500 and the
 * list of checks; the list also with `?verbose`, where `[!]` marks a check that is degraded; `?exclude=name` leaves one out; `/healthz/name` is one alone.
 */
export class HealthChecks {
  readonly #checks = { healthz: new Map<string, HealthCheck>(), readyz: new Map<string, HealthCheck>() };

  /** @throws TypeError if there is a check of that name */
  add(kind: 'healthz' | 'readyz', name: string, check: HealthCheck): void {
    if (!/^[\w.-]+$/.test(name))
      throw new TypeError(
        `health check name: expected letters, digits, -, _ and . (it is part of a URL), got ${JSON.stringify(name)}`,
      );
    if (this.#checks[kind].has(name)) throw new TypeError(`duplicate ${kind} check ${JSON.stringify(name)}`);
    this.#checks[kind].set(name, check);
  }

  readonly answer: Answerer = async (url) => {
    const [, kind, name, ...rest] = url.pathname.split('/');
    if ((kind !== 'healthz' && kind !== 'readyz') || rest.length > 0) return undefined;
    const checks = this.#checks[kind];
    if (name === undefined || name === '') return answerAll(kind, checks, url.searchParams);
    const check = checks.get(name);
    if (check === undefined) return undefined;
    const { failure, degraded } = await run(check);
    if (failure !== undefined) return { status: 500, body: `internal server error: ${failure}\n` };
    return { status: 200, body: degraded === undefined ? 'ok' : `degraded: ${degraded}\n` };
  };
}

async function answerAll(
  kind: string,
  checks: ReadonlyMap<string, HealthCheck>,
  query: URLSearchParams,
): Promise<Answer> {
  const excluded = new Set(query.getAll('exclude'));
  const included = [...checks].filter(([name]) => !excluded.has(name));
  const results = await Promise.all(included.map(async ([name, check]) => ({ name, ...(await run(check)) })));
  const lines = results.map(({ name, failure, degraded }) => {
    if (failure !== undefined) return `[-]${name} failed: ${failure}`;
    return degraded === undefined ? `[+]${name} ok` : `[!]${name} degraded: ${degraded}`;
  });
  const healthy = results.every(({ failure }) => failure === undefined);
  if (healthy && !query.has('verbose')) return { status: 200, body: 'ok' };
  lines.push(`${kind} check ${healthy ? 'passed' : 'failed'}`);
  return { status: healthy ? 200 : 500, body: `${lines.join('\n')}\n` };
}

async function run(check: HealthCheck): Promise<Result> {
  try {
    return (await check()) ?? {};
  } catch (error) {
    return { failure: messageOf(error) };
  }
}
