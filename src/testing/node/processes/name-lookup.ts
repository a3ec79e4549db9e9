import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

/** Returns the address of a name of a cluster; undefined if it has none. */
export type NameLookup = (name: string) => string | undefined;

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

const lookups = new Set<NameLookup>();
const original = { lookup: dns.lookup, promise: dns.promises.lookup };

/**
 * Lets this process find names of a cluster: `dns.lookup`, and with it `fetch`, `http` and `net`, answers those that the function knows.
 * Other names go to the system. If several functions know a name, the one that came first answers.
 * @returns a function that ends it
 */
export function answerNames(lookup: NameLookup): () => void {
  if (lookups.size === 0) install();
  lookups.add(lookup);
  return () => {
    lookups.delete(lookup);
    if (lookups.size > 0) return;
    set(original.lookup, original.promise);
  };
}

function find(name: string): string | undefined {
  for (const lookup of lookups) {
    const address = lookup(name);
    if (address !== undefined) return address;
  }
  return undefined;
}

function install(): void {
  const lookup = (name: string, options: LookupOptions | number | Callback, callback?: Callback): void => {
    const address = typeof name === 'string' ? find(name) : undefined;
    const given = typeof options === 'function' ? options : callback;
    if (address === undefined || given === undefined) {
      Reflect.apply(
        original.lookup,
        dns,
        callback === undefined ? [name, options] : [name, options, callback],
      );
      return;
    }
    const all = typeof options === 'object' && options.all === true;
    process.nextTick(() => (all ? given(null, [{ address, family: 4 }]) : given(null, address, 4)));
  };
  const promise = async (name: string, options?: LookupOptions | number): Promise<unknown> => {
    const address = find(name);
    if (address === undefined) return Reflect.apply(original.promise, dns.promises, [name, options]);
    const found = { address, family: 4 };
    return typeof options === 'object' && options.all === true ? [found] : found;
  };
  set(Object.assign(lookup, { [promisify.custom]: promise }), promise);
}

/** Replaces both forms, also for modules that import them by name. */
function set(lookup: unknown, promise: unknown): void {
  Object.assign(dns, { lookup });
  Object.assign(dns.promises, { lookup: promise });
  syncBuiltinESMExports();
}
