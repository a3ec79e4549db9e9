// Keys of etcd by its JSON gateway, in which texts are in base64.

const encode = (text: string): string => Buffer.from(text).toString('base64');

async function call(host: string, verb: 'put' | 'range', body: object): Promise<unknown> {
  const response = await fetch(`http://${host}/v3/kv/${verb}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Writes a key with its own name as value. @param host host and port */
export async function write(host: string, name: string): Promise<void> {
  await call(host, 'put', { key: encode(name), value: encode(name) });
}

/** Returns the value of a key; undefined if the key does not exist. @param host host and port */
export async function read(host: string, name: string): Promise<string | undefined> {
  const { kvs = [] } = (await call(host, 'range', { key: encode(name) })) as {
    readonly kvs?: readonly { readonly value: string }[];
  };
  const [found] = kvs;
  return found === undefined ? undefined : Buffer.from(found.value, 'base64').toString();
}
