import { readFile } from 'node:fs/promises';
import { OpSdkError } from '../../errors/index.ts';
import { renewedSecret } from '../../net/index.ts';
import type { HeaderValues } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';

/** The kubelet renews projected tokens well before they expire; client-go reads them again after a minute too. */
const rereadAfter = 60_000;

/**
 * A bearer token in a file that somebody else renews. Read again at most a minute after it was read, and at once after a 401.
 *
 * @param now milliseconds of a monotonic clock
 */
export function fileToken(path: string, now: () => number = () => performance.now()): Credentials {
  let readAt: number | undefined;
  let token: string | undefined;
  let headers: HeaderValues = {};
  const hide = renewedSecret();
  return {
    async headers() {
      if (readAt === undefined || now() - readAt >= rereadAfter) {
        const renewed = await readToken(path);
        readAt = now();
        if (renewed !== token) headers = { authorization: `Bearer ${renewed}` };
        token = renewed;
        hide(renewed);
      }
      return headers;
    },
    refresh() {
      readAt = undefined;
      return true;
    },
  };
}

async function readToken(path: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new OpSdkError(
      {
        code: 'kube/credentials-failed',
        message: `the token file cannot be read: ${(error as Error).message}`,
        where: { file: path },
      },
      { cause: error },
    );
  }
  if (token === '')
    throw new OpSdkError({
      code: 'kube/credentials-failed',
      message: 'the token file is empty',
      where: { file: path },
    });
  return token;
}
