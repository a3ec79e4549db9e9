import type { Resource } from '../../../api/index.ts';
import type { Connection } from '../../../kube/index.ts';
import { systemClock, type Clock } from '../../../net/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../../../../base/util/json-map.ts';
import type { Logger } from '../../create-logger.ts';

/** Maximum age of a cached schema in milliseconds. The limit is needed because a CRD can change while the operator runs. */
const OLDEST_MS = 60_000;

/**
 * Time limit for reading a schema from the API server, in milliseconds. It is shorter than the ten seconds for which the API server waits
 * for a webhook by default.
 */
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

/** The schemas of kinds that the API server publishes. Each schema is read on demand, and at most once a minute. */
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

  /**
   * Returns the path of the first field of an object whose type differs from the schema; undefined if all types match, or if the schema is
   * unknown. Never rejects.
   */
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

/** A part of an OpenAPI v3 document. */
type OpenApiSchema = JsonMap;

/** Resolves a `$ref` to its schema. */
type ResolveReference = (reference: string) => OpenApiSchema | undefined;

/** Maximum depth to which a value is checked, which exceeds the depth of any object. */
const DEEPEST = 100;

/**
 * Finds the first field whose type differs from the schema. Missing fields, unknown fields, and values outside of limits are not reported.
 *
 * @returns the path of the field, such as `.spec.size`; undefined if all types match the schema
 */
export function typeFault(
  schema: OpenApiSchema,
  value: unknown,
  resolve: ResolveReference,
): string | undefined {
  return visit(schema, value, '', 0);

  function visit(given: OpenApiSchema, found: unknown, path: string, depth: number): string | undefined {
    if (depth > DEEPEST || found === undefined) return undefined;
    const reference = given['$ref'];
    const named = typeof reference === 'string' ? resolve(reference) : undefined;
    if (named !== undefined) return visit(named, found, path, depth + 1);
    for (const part of jsonListOf(given['allOf'])) {
      const fault = isJsonMap(part) ? visit(part, found, path, depth + 1) : undefined;
      if (fault !== undefined) return fault;
    }
    // The API server drops or accepts a field that is null, so only a null item of a list is reported.
    if (found === null)
      return given['nullable'] === true || given['type'] === undefined || !path.endsWith(']')
        ? undefined
        : path;
    if (!hasType(given, found)) return path;
    if (Array.isArray(found)) {
      const items = given['items'];
      if (!isJsonMap(items)) return undefined;
      return firstOf(found, (item: unknown, index) => visit(items, item, `${path}[${index}]`, depth + 1));
    }
    if (!isJsonMap(found)) return undefined;
    const properties = jsonMapOf(given['properties']);
    const others = given['additionalProperties'];
    return firstOf(Object.keys(found), (key) => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : others;
      return isJsonMap(inner) ? visit(inner, found[key], `${path}.${key}`, depth + 1) : undefined;
    });
  }
}

function firstOf<T>(
  items: readonly T[],
  look: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = look(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasType(schema: OpenApiSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string'] === true)
    return typeof value === 'string' || Number.isInteger(value);
  switch (schema['type']) {
    case 'object':
      return isJsonMap(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === schema['type'];
    default:
      return true;
  }
}
