import type { Resource } from '../../../api/index.ts';
import type { Connection } from '../../../kube/index.ts';
import { systemClock, type Clock } from '../../../net/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../../../base/util/json-map.ts';
import type { Logger } from '../../create-logger.ts';
import { typeFault, type OpenApiSchema, type ResolveReference } from './type-fault.ts';

/** Greatest age of a schema, milliseconds: a CRD can change while the operator runs. */
const OLDEST_MS = 60_000;

/** Time limit of the API server's answer, milliseconds: a webhook is waited for, ten seconds by default. */
const TIMEOUT_MS = 5000;

const PREFIX = '#/components/schemas/';

interface ServedSchema {
  readonly schema: OpenApiSchema;
  readonly resolve: ResolveReference;
}

interface Entry {
  readonly since: number;
  readonly found: Promise<ServedSchema | undefined>;
}

/** The schemas of kinds as the API server publishes them, asked for when one is needed, and at most once a minute. */
export class ServedSchemas {
  readonly #connection: Pick<Connection, 'request'>;
  readonly #log: Logger;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries = new Map<string, Entry>();

  constructor(connection: Pick<Connection, 'request'>, log: Logger, clock: Pick<Clock, 'now'> = systemClock) {
    this.#connection = connection;
    this.#log = log;
    this.#clock = clock;
  }

  /** The first field of an object that has another type than its schema says; undefined: none, or the schema is not known. Never rejects. */
  async typeFault(kind: Resource, object: JsonMap): Promise<string | undefined> {
    const served = await this.#schemaOf(kind);
    if (served === undefined) return undefined;
    const { schema, resolve } = served;
    return typeFault(schema, object, resolve);
  }

  #schemaOf(kind: Resource): Promise<ServedSchema | undefined> {
    const id = `${kind.apiVersion} ${kind.kind}`;
    const now = this.#clock.now();
    const known = this.#entries.get(id);
    if (known !== undefined && now - known.since < OLDEST_MS) return known.found;
    const found = this.#fetch(kind).catch((error: unknown) => {
      this.#log.warn({ error, kind: kind.kind }, 'Cannot read the schema of a kind');
      return undefined;
    });
    this.#entries.set(id, { since: now, found });
    return found;
  }

  async #fetch({ group, version, kind }: Resource): Promise<ServedSchema | undefined> {
    const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`;
    const response = await this.#connection.request({
      target: { verb: `GET ${path}` },
      method: 'GET',
      path,
      headers: { accept: 'application/json' },
      timeout: TIMEOUT_MS,
      honourRetryAfter: false,
    });
    const schemas = jsonMapOf(jsonMapOf(jsonMapOf(response.json())['components'])['schemas']);
    const resolve: ResolveReference = (reference) => {
      const name = reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : '';
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
      return isJsonMap(schema) ? schema : undefined;
    };
    const schema = Object.values(schemas).find((each) =>
      jsonListOf(jsonMapOf(each)['x-kubernetes-group-version-kind'])
        .map(jsonMapOf)
        .some((type) => type['group'] === group && type['version'] === version && type['kind'] === kind),
    );
    return isJsonMap(schema) ? { schema, resolve } : undefined;
  }
}
