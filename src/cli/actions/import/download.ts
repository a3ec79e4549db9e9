import { OpSdkError } from '../../../errors/index.ts';
import { createWire, type Wire, type WireResponse } from '../../../oci/registry/wire.ts';
import { yamlLimits } from '../../../yaml/limits.ts';
import type { CliContext } from '../../command.ts';
import { packageInfo } from '../../package-info.ts';

const MOST_REDIRECTS = 5;
/** Milliseconds. */
const timeouts = { whole: 120_000, connectTimeout: 15_000, idleTimeout: 30_000 };

/**
 * Reads a text by https, through the proxies of the environment as pushing images does.
 * @throws OpSdkError `import/download`
 */
export async function download(context: CliContext, source: string): Promise<string> {
  const { env } = context;
  const wire = createWire({ env, ca: undefined, ...timeouts });
  const timeout = AbortSignal.timeout(timeouts.whole);
  const signal = AbortSignal.any([context.signal, timeout]);
  try {
    return await follow(wire, source, new URL(checked(source, source)), signal, MOST_REDIRECTS);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof OpSdkError) throw error;
    const reason = timeout.aborted ? `no answer within ${timeouts.whole / 1000} s` : messageOf(error);
    throw failed(source, reason, error);
  } finally {
    wire.close();
  }
}

async function follow(
  wire: Wire,
  source: string,
  url: URL,
  signal: AbortSignal,
  redirects: number,
): Promise<string> {
  const headers = { accept: '*/*', 'user-agent': `op-sdk/${packageInfo().version}` };
  const response = await wire.send({ method: 'GET', url, headers, signal });
  const { status } = response;
  const location = response.header('location');
  if (status >= 300 && status < 400 && location !== undefined) {
    response.discard();
    if (redirects === 0) throw failed(source, 'it redirects without end');
    return follow(wire, source, new URL(checked(source, new URL(location, url).href)), signal, redirects - 1);
  }
  if (status !== 200) {
    response.discard();
    throw failed(source, `the server answers with HTTP status ${status}`);
  }
  return textOf(source, response);
}

async function textOf(source: string, response: WireResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > yamlLimits.bytes) {
      response.discard();
      throw failed(source, `the file is larger than ${yamlLimits.bytes / 1024 / 1024} MiB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Only https: whoever could change the text on its way would write into the user's sources. */
function checked(source: string, url: string): string {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url;
  throw new OpSdkError({
    code: 'import/download',
    message:
      url === source ? `${source} is not an https URL` : `${source} redirects to ${url}, which is not https`,
    where: { file: source },
    fix: ['name an https URL, or download the file and name that'],
  });
}

function failed(source: string, reason: string, cause?: unknown): OpSdkError {
  return new OpSdkError(
    {
      code: 'import/download',
      message: `${source} cannot be read: ${reason}`,
      where: { file: source },
      fix: ['check the URL and the network; behind a proxy, set HTTPS_PROXY'],
    },
    { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
