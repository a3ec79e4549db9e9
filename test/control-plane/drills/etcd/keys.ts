// Keys of etcd by its JSON gateway, in which texts are in base64.

const encode = (text: string): string => Buffer.from(text).toString('base64');
const decode = (text: string): string => Buffer.from(text, 'base64').toString();

/** Milliseconds for an answer. */
const answerTimeout = 5000;

/** Calls etcd. @param path such as `kv/put` @throws Error if etcd refuses it or does not answer */
export async function callEtcd<T>(host: string, path: string, body: object): Promise<T> {
  const response = await fetch(`http://${host}/v3/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerTimeout),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).trim()}`);
  return (await response.json()) as T;
}

/** Writes a key. @param host host and port; @param value default: the key itself */
export async function write(host: string, key: string, value = key): Promise<void> {
  await callEtcd(host, 'kv/put', { key: encode(key), value: encode(value) });
}

interface Range {
  readonly kvs?: readonly { readonly key: string; readonly value: string }[];
  readonly more?: boolean;
}

/** Returns the value of a key; undefined if the key does not exist. @param host host and port */
export async function read(host: string, key: string): Promise<string | undefined> {
  const { kvs: [found] = [] } = await callEtcd<Range>(host, 'kv/range', { key: encode(key) });
  return found === undefined ? undefined : decode(found.value);
}

/** Returns the values of all keys with a prefix, which ends in an ASCII character. @param host host and port */
export async function readAll(host: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  const last = prefix.length - 1;
  const end = prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
  for (let from = prefix, more = true; more;) {
    const page = await callEtcd<Range>(host, 'kv/range', {
      key: encode(from),
      range_end: encode(end),
      limit: 5000,
    });
    for (const { key, value } of page.kvs ?? []) values.set(decode(key), decode(value));
    more = page.more === true;
    from = `${[...values.keys()].at(-1)}\0`;
  }
  return values;
}
