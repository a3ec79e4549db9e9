import type { IncomingMessage, ServerResponse } from 'node:http';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpSdkError } from '../../../../base/errors/index.ts';
import type { KeyPair } from '../../../x509/certificate-authority.ts';
import {
  watchCertificate,
  type CertificateFiles,
  type CertificatePurpose,
  type WatchedCertificate,
} from '../../certificate/index.ts';
import type { Logger } from '../../create-logger.ts';
import type { StartSelfSignedOptions } from '../self-signed/start-self-signed.ts';

/**
 * Maximum size of a request body in bytes: enough for two objects of the maximum size and the envelope of a review. Source:
 * controller-runtime `pkg/webhook/admission`.
 */
const LIMIT_BYTES = 7 * 1024 * 1024;

/**
 * Time limit for receiving a body, in milliseconds. The API server sends a body immediately, and a slowly sent body would occupy memory.
 */
const TIMEOUT_MS = 10_000;

/**
 * Maximum memory in bytes for all bodies that a server reads at the same time: a quarter of the memory limit that the scaffold sets for an
 * operator.
 */
const BUDGET_BYTES = 64 * 1024 * 1024;

/** The text of a request body, or the status code and message if the body is refused; undefined if the client has disconnected. */
type Body =
  { readonly text: string } | { readonly code: 400 | 413 | 429; readonly message: string } | undefined;

/** Memory budget that all bodies of a server share. Only received bytes count, so that announcing a large length reserves nothing. */
export class BodyBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit = BUDGET_BYTES) {
    this.#limit = limit;
  }

  /** Number of received bytes that belong to unanswered requests. */
  get used(): number {
    return this.#used;
  }

  /** @returns true if the bytes fit into the budget and are now reserved; otherwise false, and nothing is reserved */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}

/**
 * Reads the body of a request up to the size limit. Bytes beyond the limit are dropped for a limited time, because the client may still be
 * writing when the answer is sent. The memory of the body is released when the request is answered, or its connection is closed.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  budget: BodyBudget,
  timeout = TIMEOUT_MS,
): Promise<Body> {
  const tooLarge = { code: 413, message: `the body is larger than ${LIMIT_BYTES} bytes` } as const;
  const timer = setTimeout(() => request.destroy(), timeout);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES) {
    dropRest(request);
    return tooLarge;
  }
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const release = (): void => {
      chunks = [];
      budget.release(size);
      size = 0;
    };
    const refuse = (body: Body): void => {
      request.off('data', take);
      release();
      dropRest(request);
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      if (size + chunk.length > LIMIT_BYTES) refuse(tooLarge);
      else if (response.destroyed || !budget.take(chunk.length))
        refuse({ code: 429, message: 'too many request bodies are being read at once' });
      else {
        size += chunk.length;
        chunks.push(chunk);
      }
    };
    request.on('data', take);
    response.once('close', release);
    request.once('end', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('utf8');
      chunks = [];
      resolve(text === '' ? { code: 400, message: 'the body is empty' } : { text });
    });
    request.once('error', () => resolve(undefined));
    request.once('close', () => resolve(undefined));
  });
}

function dropRest(request: IncomingMessage): void {
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > LIMIT_BYTES) request.destroy();
  });
  request.on('error', () => undefined);
}

const purpose: CertificatePurpose = {
  name: 'webhooks',
  flag: '--webhook-cert',
  otherwise: 'or start the operator with ENABLE_WEBHOOKS=false: its webhooks are not served then',
};

/** Options for creating a self-signed certificate. */
export type SelfSignedSource = Pick<StartSelfSignedOptions, 'options' | 'client' | 'reflect' | 'stop'>;

interface CertificateSourceOptions {
  /** Certificate files from the options of the manager. */
  readonly files: CertificateFiles | undefined;
  /** Settings with which the operator creates the certificate itself. Default: the operator creates none. */
  readonly selfSigned?: SelfSignedSource | undefined;
  /** Names of the CustomResourceDefinitions whose conversions are served. Default: none. */
  readonly definitions?: readonly string[];
  readonly log: Logger;
  readonly onChange: (pair: KeyPair) => void;
  /** Mount path of the certificate in OLM and controller-runtime. Default: `k8s-webhook-server/serving-certs` in the temporary folder. */
  readonly mounted?: string;
}

/**
 * Returns the certificate of the webhooks: from the configured files, or else self-signed if that is enabled, or else from the default
 * mount folder.
 *
 * @throws OpSdkError `runtime/certificate-unreadable`, `runtime/webhook-certificate-missing`
 */
export async function webhookCertificate(options: CertificateSourceOptions): Promise<WatchedCertificate> {
  const { files, log, onChange, mounted = join(tmpdir(), 'k8s-webhook-server', 'serving-certs') } = options;
  if (files !== undefined) return watchCertificate(files, { purpose, log, onChange });
  if (options.selfSigned !== undefined) {
    const { startSelfSigned } = await import('../self-signed/index.ts');
    return startSelfSigned({ ...options.selfSigned, definitions: options.definitions ?? [], log, onChange });
  }
  const isMounted = await access(join(mounted, 'tls.crt')).then(
    () => true,
    () => false,
  );
  if (isMounted) return watchCertificate({ folder: mounted }, { purpose, log, onChange });
  throw new OpSdkError({
    code: 'runtime/webhook-certificate-missing',
    message: `webhooks: expected a certificate from --webhook-cert-path or in ${mounted}, got none`,
    fix: [
      'name the folder with tls.crt and tls.key: --webhook-cert-path=<folder>',
      'on your own machine start the operator with `op-sdk run`, which makes a certificate',
      'or set ENABLE_WEBHOOKS=false: the webhooks are not served then',
    ],
  });
}
