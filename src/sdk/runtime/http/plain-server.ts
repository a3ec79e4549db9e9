import { createServer } from 'node:http';
import type { ListenAddress } from '../../net/index.ts';
import { handlerOf, listen, type Answerer, type RunningServer, type ServerPurpose } from './serve.ts';

/** Serves small GET requests over plain HTTP. Parameters and errors are those of `listen`. */
export async function servePlain(
  purpose: ServerPurpose,
  address: ListenAddress,
  answer: Answerer,
  report: (error: Error) => void,
): Promise<RunningServer> {
  return listen(createServer(handlerOf(answer)), purpose, address, report);
}
