import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import type { KeyPair } from '../../x509/certificate-authority.ts';
import type { Logger } from '../create-logger.ts';
import { certificateReadErrors, certificateReads } from '../metrics/common-metrics.ts';

/** Milliseconds between two reads of the certificate files. Source: controller-runtime `pkg/certwatcher`. */
const INTERVAL_MS = 10_000;

/** Milliseconds without a file system event before the files are read, because certificate and key are written one after the other. */
const QUIET_MS = 50;

/** Purpose of a certificate. */
export interface CertificatePurpose {
  /** Name of the purpose in logs and errors: `metrics`, `webhooks`. */
  readonly name: string;
  /** Prefix of the flags that set the certificate files, such as `--metrics-cert`. */
  readonly flag: string;
  /** Text of the fix in error messages: the alternative to certificate files. */
  readonly otherwise: string;
}

interface WatchCertificateOptions {
  readonly purpose: CertificatePurpose;
  readonly log: Logger;
  /** Called with the new certificate and key after a change. */
  readonly onChange: (pair: KeyPair) => void;
  /** Milliseconds between two reads of the certificate files. Default: 10,000. */
  readonly interval?: number;
}

/** A certificate that can change while it is in use. */
export interface WatchedCertificate {
  /** The certificate and key from the first read. */
  readonly pair: KeyPair;
  stop(): void | Promise<void>;
  /** Checks if clients trust the certificate. Absent if this is unknown. @throws OpSdkError while clients cannot trust it */
  check?(): void;
}

/**
 * Reads a certificate and its key. Reads them again after a file system event in the folder, and also every ten seconds, as events are lost
 * if folders are replaced. If the files are unreadable or do not match, logs the error and keeps the previous pair in use.
 *
 * @throws OpSdkError `runtime/certificate-unreadable` if the first read fails
 */
export async function watchCertificate(
  files: CertificateFiles,
  { purpose, log, onChange, interval = INTERVAL_MS }: WatchCertificateOptions,
): Promise<WatchedCertificate> {
  let current = await readPair(files, purpose);
  const pair = current;
  let lastFailure: string | undefined;
  let reading = false;
  /** True if a file changed while the files were being read, so that they must be read again. */
  let isStale = false;
  let stopped = false;
  const read = async (): Promise<void> => {
    if (reading) {
      isStale = true;
      return;
    }
    reading = true;
    try {
      const found = await readPair(files, purpose);
      if (stopped) return;
      lastFailure = undefined;
      if (found.certificate === current.certificate && found.key === current.key) return;
      onChange(found);
      current = found;
      log.info({ folder: files.folder }, `Certificate for ${purpose.name} reloaded`);
    } catch (error) {
      // Logs a failure only if it differs from the last one, instead of every ten seconds.
      const failure = messageOf(error);
      if (failure !== lastFailure)
        log.error(
          { error },
          `Cannot reload the certificate for ${purpose.name}; the former one stays in use`,
        );
      lastFailure = failure;
    } finally {
      reading = false;
      if (isStale && !stopped) {
        isStale = false;
        void read();
      }
    }
  };
  const timer = setInterval(() => void read(), interval);
  timer.unref();
  const unwatch = onEvents(files.folder, () => void read());
  return {
    pair,
    stop() {
      stopped = true;
      clearInterval(timer);
      unwatch();
    },
  };
}

/**
 * Calls `changed` after a change in a folder, once a short time has passed without another change. Does nothing if the folder cannot be
 * watched, because the files are also read at regular intervals.
 */
function onEvents(folder: string, changed: () => void): () => void {
  let quiet: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, { persistent: false }, () => {
      clearTimeout(quiet);
      quiet = setTimeout(changed, QUIET_MS);
      quiet.unref();
    });
    watcher.on('error', () => watcher?.close());
  } catch {
    // The system allows so many.
  }
  return () => {
    clearTimeout(quiet);
    watcher?.close();
  };
}

async function readPair(
  { folder, ...names }: CertificateFiles,
  { name, flag, otherwise }: CertificatePurpose,
): Promise<KeyPair> {
  certificateReads.inc();
  const paths = {
    certificate: join(folder, names.certificate ?? 'tls.crt'),
    key: join(folder, names.key ?? 'tls.key'),
  };
  let reading = paths.certificate;
  try {
    const certificate = await readFile(paths.certificate, 'utf8');
    reading = paths.key;
    const key = await readFile(paths.key, 'utf8');
    reading = folder;
    // Without this check, Node would accept an empty file and create a context without a certificate.
    if (certificate === '' || key === '') throw new Error('an empty file');
    // createSecureContext throws for data that is not PEM, and for a key that does not match the certificate.
    createSecureContext({ cert: certificate, key });
    return { certificate, key };
  } catch (cause) {
    certificateReadErrors.inc();
    throw new OpSdkError(
      {
        code: 'runtime/certificate-unreadable',
        message: `the certificate for ${name}: expected ${paths.certificate} and ${paths.key} to be a certificate and its key, got ${messageOf(cause)}`,
        where: { file: reading },
        fix: [
          `mount the Secret with the certificate there, or name the files with ${flag}-name and ${flag}-key`,
          otherwise,
        ],
      },
      { cause },
    );
  }
}

/** Paths of a certificate and its key, such as the files of a mounted Secret of cert-manager. */
export interface CertificateFiles {
  /** Path of the folder that contains the files. */
  readonly folder: string;
  /** Name of the certificate file: PEM, with the intermediate certificates after the certificate. Default: `tls.crt`. */
  readonly certificate?: string | undefined;
  /** Name of the private key file, PEM. Default: `tls.key`. */
  readonly key?: string | undefined;
}
