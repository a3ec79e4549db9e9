import { OpSdkError } from '../../base/errors/index.ts';

/** Address on which a server listens. Without a host: on all interfaces. Port 0: any free port. */
export interface ListenAddress {
  readonly host?: string;
  readonly port: number;
}

/**
 * Parses an address in the syntax of controller-runtime's flags: `:8081`, `127.0.0.1:8081`, `[::1]:8081`, `localhost:8081`. Returns
 * undefined for `0`, which disables the server.
 *
 * @param name the flag or option that the error message mentions
 * @throws OpSdkError `runtime/invalid-address`
 */
export function parseListenAddress(text: string, name: string): ListenAddress | undefined {
  if (text === '0') return undefined;
  const match = /^(?:\[([0-9A-Fa-f:.%\w]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new OpSdkError({
      code: 'runtime/invalid-address',
      message: `invalid listen address ${JSON.stringify(text)}`,
      where: { flag: name },
      fix: ['use host:port or :port, such as :8081 or 127.0.0.1:8081; 0 for no server'],
    });
  }
  const host = match[1] ?? match[2];
  return host === undefined || host === '' ? { port } : { host, port };
}
