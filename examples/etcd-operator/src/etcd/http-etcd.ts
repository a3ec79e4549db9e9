import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import {
  EtcdRefusalError,
  EtcdUnreachableError,
  type Alarm,
  type Connection,
  type Endpoint,
  type EtcdApi,
  type Member,
  type MemberReport,
  type Members,
} from './etcd-api.ts';

/** Time for an answer, in milliseconds. */
const answerTimeout = 5000;
/** Largest answer that is read, in bytes. */
const largestAnswer = 4 * 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends one request. The address is that of the Pod: the certificate is checked for the name of the member. */
function send(
  { url, serverName }: Endpoint,
  { credentials, signal }: Connection,
  path: string,
  body: object | undefined,
): Promise<Answer> {
  const request = url.startsWith('https:') ? requestSecure : requestPlain;
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      {
        ...credentials,
        servername: serverName,
        method: payload === undefined ? 'GET' : 'POST',
        headers,
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeout)]),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > largestAnswer)
            response.destroy(new Error(`answer is larger than ${largestAnswer} bytes`));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** Returns the answer of etcd's JSON gateway. @throws EtcdRefusalError if it is an error */
async function call<T>(endpoint: Endpoint, connection: Connection, path: string, body: object): Promise<T> {
  const { status, text } = await send(endpoint, connection, path, body);
  const answer = parse(text);
  if (status === 200 && answer !== undefined) return answer as T;
  const { error, message = error, code = 0 } = (answer ?? {}) as GatewayError;
  throw new EtcdRefusalError(`${endpoint.url}${path}: ${status} ${message ?? text.slice(0, 200)}`, code);
}

interface GatewayError {
  readonly error?: string;
  readonly message?: string;
  readonly code?: number;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class HttpMembers implements Members {
  readonly #endpoints: readonly Endpoint[];
  readonly #connection: Connection;

  constructor(endpoints: readonly Endpoint[], connection: Connection) {
    this.#endpoints = endpoints;
    this.#connection = connection;
  }

  list(): Promise<readonly Member[]> {
    return this.#list(true);
  }

  listLocally(): Promise<readonly Member[]> {
    return this.#list(false);
  }

  async add(peerURL: string): Promise<void> {
    await this.#call('member/add', { peerURLs: [peerURL], isLearner: true });
  }

  async promote({ ID }: Member): Promise<void> {
    await this.#call('member/promote', { ID });
  }

  async remove({ ID }: Member): Promise<void> {
    await this.#call('member/remove', { ID });
  }

  async alarms(): Promise<readonly Alarm[]> {
    const { alarms = [] } = await this.#call<{ readonly alarms?: readonly Alarm[] }>('../maintenance/alarm', {
      action: 'GET',
    });
    return alarms;
  }

  /** 3.4 knows no `linearizable`, and answers for itself: the leader should be the first endpoint. */
  async #list(linearizable: boolean): Promise<readonly Member[]> {
    const answer = await this.#call<{ readonly members?: readonly Member[] }>('member/list', {
      linearizable,
    });
    const { members = [] } = answer;
    if (members.length === 0) throw new Error('member/list: expected members, got none');
    return members;
  }

  /** @param relative path below that of the calls about members */
  async #call<T>(relative: string, body: object): Promise<T> {
    const path = new URL(relative, 'http://etcd/v3/cluster/').pathname;
    const errors: unknown[] = [];
    for (const endpoint of this.#endpoints) {
      try {
        return await call<T>(endpoint, this.#connection, path, body);
      } catch (error) {
        // A refusal is etcd's word: another member would say the same.
        if (error instanceof EtcdRefusalError) throw error;
        this.#connection.signal.throwIfAborted();
        errors.push(error);
      }
    }
    throw new EtcdUnreachableError(errors, `${path}: ${errors.map(String).join('; ') || 'no member runs'}`);
  }
}

/** Numbers of 64 bits are texts in the gateway's JSON; those that are 0 are left out. */
interface StatusAnswer {
  readonly header?: { readonly member_id?: string };
  readonly leader?: string;
  readonly version?: string;
  readonly isLearner?: boolean;
  readonly dbSize?: string;
  readonly dbSizeInUse?: string;
}

async function report(endpoint: Endpoint, connection: Connection): Promise<MemberReport | undefined> {
  try {
    const status = await call<StatusAnswer>(endpoint, connection, '/v3/maintenance/status', {});
    return {
      memberID: status.header?.member_id ?? '0',
      leader: status.leader ?? '0',
      version: status.version ?? '',
      isLearner: status.isLearner ?? false,
      isHealthy: await isHealthy(endpoint, connection),
      dbSize: Number(status.dbSize ?? 0),
      dbSizeInUse: Number(status.dbSizeInUse ?? 0),
    };
  } catch {
    connection.signal.throwIfAborted();
    return undefined;
  }
}

/** Codes of gRPC for a client without rights, as in a cluster with users: PERMISSION_DENIED, UNAUTHENTICATED. etcd had to have a quorum. */
const withoutRights: readonly number[] = [7, 16];

/**
 * Reads by a quorum. A member that answers too late has none, and is there nevertheless. `/health` of 3.4 would write into the log of the
 * members what 3.6 refuses to read, and no upgrade would end. A full database still reads.
 */
async function isHealthy(endpoint: Endpoint, connection: Connection): Promise<boolean> {
  try {
    await call(endpoint, connection, '/v3/kv/range', { key: 'AA==', limit: '1', keys_only: true });
    return true;
  } catch (error) {
    connection.signal.throwIfAborted();
    return error instanceof EtcdRefusalError && withoutRights.includes(error.code);
  }
}

/** Calls members of etcd by the JSON gateway of their client port. */
export const httpEtcd: EtcdApi = {
  report,
  members: (endpoints, connection) => new HttpMembers(endpoints, connection),
};
