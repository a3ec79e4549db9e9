import type { Loose, Reply } from './case.ts';

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const micro = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g;
const second = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

/**
 * What is left of the answers of a case when everything is replaced that differs from run to run: the same uid, and the same resource version, have the
 * same number wherever they stand, so that it still shows whether a write has changed something.
 */
export class Normalizer {
  readonly #namespace: string;
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  reply({ status, body }: Reply): unknown {
    return { status, body: sortedCauses(this.#value(body, '')) };
  }

  value(value: unknown): unknown {
    return this.#value(value, '');
  }

  #value(value: unknown, field: string): unknown {
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item, ''));
      return field === 'managedFields' ? sortedOwners(items) : items;
    }
    if (typeof value === 'object' && value !== null) {
      const sorted = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
      const isList = String(Object.fromEntries(sorted)['kind']).endsWith('List');
      const entries = sorted.map(([name, item]): [string, unknown] => [
        this.#value(name, '') as string,
        // The version of a list is that of the whole server, which others change too.
        isList && name === 'metadata'
          ? this.#value({ ...item, resourceVersion: undefined }, name)
          : this.#value(item, name),
      ]);
      return Object.fromEntries(entries);
    }
    if (typeof value !== 'string') return value;
    if (field === 'resourceVersion') return this.#number(this.#versions, value, 'version');
    if (field === 'continue' && value !== '') return 'token';
    return (
      value
        .replaceAll(uuid, (found) => this.#number(this.#uids, found, 'uid'))
        .replaceAll(/\b10\.0\.\d+\.\d+\b/g, 'address')
        .replaceAll(micro, 'microtime')
        .replaceAll(second, 'time')
        .replaceAll(this.#namespace, '$NS')
        .replaceAll(
          /\((\d+)\)/g,
          (_, version: string) => `(${this.#number(this.#versions, version, 'version')})`,
        )
        // An object within a message.
        .replaceAll(
          /("resourceVersion\\?":\\?")(\d+)/g,
          (_, start: string, version: string) => start + this.#number(this.#versions, version, 'version'),
        )
        .replace(/^(gen-)[a-z0-9]{5}$/, '$1*')
    );
  }

  #number(known: Map<string, string>, value: string, name: string): string {
    let found = known.get(value);
    if (found === undefined) known.set(value, (found = `${name}-${known.size + 1}`));
    return found;
  }
}

/** Sorted by their time, which may pass from one second to the next during a case. */
function sortedOwners(entries: readonly Loose[]): unknown {
  const key = ({ operation, manager, apiVersion, subresource }: Loose): string =>
    JSON.stringify([operation, manager, apiVersion, subresource]);
  return [...entries].sort((left, right) => (key(left) < key(right) ? -1 : 1));
}

/** Go walks its maps in any order, and so are the causes; the message repeats them. */
function sortedCauses(body: Loose): unknown {
  if (body?.parsed !== undefined) return { ...body, parsed: sortedCauses(body.parsed) };
  const causes: { field?: string; message?: string }[] | undefined = body?.details?.causes;
  if (!Array.isArray(causes) || causes.length < 2) return body;
  const sorted = [...causes].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
  const start = String(body.message).split(' is invalid: ')[0] ?? '';
  const message = String(body.message).includes(' is invalid: ')
    ? `${start} is invalid: (${String(body.message).length} characters)`
    : body.message;
  return { ...body, message, details: { ...body.details, causes: sorted } };
}
