// @ts-check
/**
 * Lets a process find names of a cluster. JavaScript, so that Node runs this very file from the sources and from dist/ alike: programs
 * load it before their first line (`program-names.js`).
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

/**
 * Returns the address of a name of a cluster; undefined if it has none.
 * @callback NameLookup
 * @param {string} name
 * @returns {string | undefined | Promise<string | undefined>}
 */

/**
 * @typedef {import('node:dns').LookupAddress} LookupAddress
 * @typedef {import('node:dns').LookupOptions} LookupOptions
 * @typedef {(error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void} Callback
 */

/** @type {Set<NameLookup>} */
const lookups = new Set();
const original = { lookup: dns.lookup, promise: dns.promises.lookup };

/** Ending of all names of a cluster that have addresses. */
const ending = /\.svc(\.cluster\.local)?\.?$/;

/**
 * Lets this process find names of a cluster: `dns.lookup`, and with it `fetch`, `http` and `net`, answers those that the function knows.
 * Other names go to the system. If several functions know a name, the one that came first answers.
 * @param {NameLookup} lookup
 * @returns {() => void} a function that ends it
 */
export function answerNames(lookup) {
  if (lookups.size === 0) install();
  lookups.add(lookup);
  return () => {
    lookups.delete(lookup);
    if (lookups.size > 0) return;
    set(original.lookup, original.promise);
  };
}

/**
 * Returns true for what only the system answers: other names, wrong arguments, and IPv6, which a cluster of these addresses does not have.
 * @param {unknown} name
 * @param {LookupOptions | number | Callback | null | undefined} options
 */
function isForSystem(name, options) {
  const family = typeof options === 'object' ? options?.family : options;
  return typeof name !== 'string' || !ending.test(name) || family === 6 || family === 'IPv6';
}

/**
 * @param {LookupOptions | number | Callback | null | undefined} options
 */
function wantsAll(options) {
  return typeof options === 'object' && options?.all === true;
}

/**
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
async function find(name) {
  for (const lookup of lookups) {
    const address = await lookup(name);
    if (address !== undefined) return address;
  }
  return undefined;
}

function install() {
  /**
   * @param {string} name
   * @param {LookupOptions | number | Callback | null} options
   * @param {Callback} [callback]
   */
  const lookup = (name, options, callback) => {
    const given = typeof options === 'function' ? options : callback;
    const ask = () =>
      Reflect.apply(
        original.lookup,
        dns,
        callback === undefined ? [name, options] : [name, options, callback],
      );
    // At once, as errors of the arguments are thrown.
    if (isForSystem(name, options) || typeof given !== 'function') return ask();
    void find(name).then((address) => {
      // An error of the callback is one of its process, not of this promise.
      process.nextTick(() => {
        if (address === undefined) ask();
        else if (wantsAll(options)) given(null, [{ address, family: 4 }]);
        else given(null, address, 4);
      });
    });
  };
  /**
   * @param {string} name
   * @param {LookupOptions | number | null} [options]
   */
  const promise = async (name, options) => {
    const address = isForSystem(name, options) ? undefined : await find(name);
    if (address === undefined) return Reflect.apply(original.promise, dns.promises, [name, options]);
    const found = { address, family: 4 };
    return wantsAll(options) ? [found] : found;
  };
  set(Object.assign(lookup, { [promisify.custom]: promise }), promise);
}

/**
 * Replaces both forms, also for modules that import them by name.
 * @param {unknown} lookup
 * @param {unknown} promise
 */
function set(lookup, promise) {
  Object.assign(dns, { lookup });
  Object.assign(dns.promises, { lookup: promise });
  syncBuiltinESMExports();
}
