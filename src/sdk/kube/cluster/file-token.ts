import { OpSdkError } from '../../../base/errors/index.ts';
import { renewedSecret } from '../../net/index.ts';
import type { HeaderValues } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';
import { OutsideFile } from './outside-file.ts';

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
  const file = new OutsideFile(path, 'token file');
  const renew = async (signal: AbortSignal | undefined): Promise<HeaderValues> => {
    const renewed = await readToken(file, path, signal);
    readAt = now();
    if (renewed !== token) headers = { authorization: `Bearer ${renewed}` };
    token = renewed;
    hide(renewed);
    return headers;
  };
  return {
    headers: (signal) => (readAt === undefined || now() - readAt >= rereadAfter ? renew(signal) : headers),
    refresh() {
      readAt = undefined;
      return true;
    },
  };
}

async function readToken(file: OutsideFile, path: string, signal: AbortSignal | undefined): Promise<string> {
  let token: string;
  try {
    token = (await file.read(signal)).trim();
  } catch (error) {
    if (signal?.aborted === true || error instanceof OpSdkError) throw error;
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
