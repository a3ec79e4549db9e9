import { OpSdkError } from '../../../base/errors/index.ts';
import { download, DownloadError } from '../../../sdk/net/index.ts';
import { yamlLimits } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { packageInfo } from '../../package-info.ts';

/** Milliseconds. */
const timeouts = { connectTimeout: 15_000, idleTimeout: 30_000 };
const wholeTimeout = 120_000;

/**
 * Reads a text by https, through the proxies of the environment as pushing images does.
 * @throws OpSdkError `import/download`
 */
export async function downloadText(context: CliContext, source: string): Promise<string> {
  const { env } = context;
  const timeout = AbortSignal.timeout(wholeTimeout);
  const signal = AbortSignal.any([context.signal, timeout]);
  const userAgent = `op-sdk/${packageInfo().version}`;
  const check = ({ href }: URL): void => void checked(source, href);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of download(new URL(checked(source, source)), {
      env,
      signal,
      userAgent,
      check,
      ...timeouts,
    })) {
      size += chunk.length;
      if (size > yamlLimits.bytes)
        throw failed(source, `the file is larger than ${yamlLimits.bytes / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (timeout.aborted) throw failed(source, `no answer within ${wholeTimeout / 1000} s`, error);
    if (error instanceof DownloadError) throw failed(source, error.message, error);
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Only https: whoever could change the text on its way would write into the user's sources. */
function checked(source: string, url: string): string {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url;
  throw new OpSdkError({
    code: 'import/download',
    message:
      url === source
        ? `${shownUrl(source)} is not an https URL`
        : `${shownUrl(source)} redirects to ${shownUrl(url)}, which is not https`,
    where: { file: shownUrl(source) },
    fix: ['name an https URL, or download the file and name that'],
  });
}

function failed(source: string, reason: string, cause?: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'import/download',
      message: `${shownUrl(source)} cannot be read: ${reason}`,
      where: { file: shownUrl(source) },
      fix: ['check the URL and the network; behind a proxy, set HTTPS_PROXY'],
    },
    { cause },
  );
}

/** A URL without the user name and the password in it, for messages and places; other sources as they are. */
export function shownUrl(source: string): string {
  return source.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1***@');
}
