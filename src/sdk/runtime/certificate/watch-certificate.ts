import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { messageOf, OpSdkError } from '../../../base/errors/index.ts';
import type { KeyPair } from '../../x509/certificate-authority.ts';
import type { Logger } from '../create-logger.ts';
import { certificateReadErrors, certificateReads } from '../metrics/common-metrics.ts';

/** Milliseconds between two reads. Source: controller-runtime `pkg/certwatcher`. */
const INTERVAL_MS = 10_000;

/** Milliseconds without an event before a read: certificate and key are written one after the other. */
const QUIET_MS = 50;

/** Purpose of a certificate. */
export interface CertificatePurpose {
  /** For logs and errors: `metrics`, `webhooks`. */
  readonly name: string;
  /** Prefix of the flags for its files, such as `--metrics-cert`. */
  readonly flag: string;
  /** A fix for error messages: the alternative to providing the files. */
  readonly otherwise: string;
}

interface WatchCertificateOptions {
  readonly purpose: CertificatePurpose;
  readonly log: Logger;
  /** Called with a changed pair. */
  readonly onChange: (pair: KeyPair) => void;
  /** Milliseconds between two reads. Default: 10,000. */
  readonly interval?: number;
}

/** A certificate that can change while it is in use. */
export interface WatchedCertificate {
  /** The initial pair. */
  readonly pair: KeyPair;
  stop(): void | Promise<void>;
  /** Checks whether clients trust the certificate. Absent: unknown. @throws OpSdkError while clients cannot trust it */
  check?(): void;
}

/**
 * Reads a certificate and its key, and reads them again after a file system event in the folder, and every ten seconds, as events are lost
 * if folders are replaced. A pair that is unreadable or does not match is logged, and the previous pair stays in use.
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
  /** True if a file changed while the files were read. */
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
      // Logs each reason once, instead of every ten seconds.
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
 * Calls back after a change in a folder that is followed by a short time without changes. A folder that cannot be watched is only polled.
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
    // Otherwise Node would create a context without a certificate.
    if (certificate === '' || key === '') throw new Error('an empty file');
    // Throws for data that is not PEM, and for a key that does not match the certificate.
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

/** A certificate and its key as files, such as those of a mounted Secret of cert-manager. */
export interface CertificateFiles {
  /** The folder. */
  readonly folder: string;
  /** Name of the certificate file, PEM, followed by the intermediate certificates. Default: `tls.crt`. */
  readonly certificate?: string | undefined;
  /** Name of the private key file, PEM. Default: `tls.key`. */
  readonly key?: string | undefined;
}
