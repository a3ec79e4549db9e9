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

/** Two objects of the greatest size, and what is around them. Source: controller-runtime `pkg/webhook/admission`. */
const LIMIT_BYTES = 7 * 1024 * 1024;

/** Limit for receiving a body, milliseconds: the API server sends it at once, and a slow one holds memory. */
const TIMEOUT_MS = 10_000;

/** Limit of the memory for all bodies that a server reads at once: a quarter of the scaffold's memory limit for an operator. */
const BUDGET_BYTES = 64 * 1024 * 1024;

/** The text of a body, or why there is none; undefined if whoever sent it is gone. */
type Body =
  { readonly text: string } | { readonly code: 400 | 413 | 429; readonly message: string } | undefined;

/** Memory that all bodies of a server share. Counts bytes that have come, so that an announced length costs nobody anything. */
export class BodyBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit = BUDGET_BYTES) {
    this.#limit = limit;
  }

  /** Bytes of requests that are not answered yet. */
  get used(): number {
    return this.#used;
  }

  /** @returns whether there is room for them; if not, nothing is taken */
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
 * Reads the body of a request up to the limit. What comes after that is dropped, for a while: the client may still be writing when it is
 * answered. The memory is given back to the budget when the request is answered, or its connection is closed.
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
        refuse({ code: 429, message: 'too many bodies at once' });
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
  /** Files from the options of the manager. */
  readonly files: CertificateFiles | undefined;
  /** The operator makes the certificate. Default: it does not. */
  readonly selfSigned?: SelfSignedSource | undefined;
  /** Names of the CustomResourceDefinitions whose conversions are served. Default: none. */
  readonly definitions?: readonly string[];
  readonly log: Logger;
  readonly onChange: (pair: KeyPair) => void;
  /** Where OLM mounts the certificate, and controller-runtime looks for it. Default: `k8s-webhook-server/serving-certs` in the folder for temporary files. */
  readonly mounted?: string;
}

/**
 * The certificate of the webhooks: from the files that were named, or else of the operator's own making if it is to do so, or else from the folder where they are usually mounted.
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
