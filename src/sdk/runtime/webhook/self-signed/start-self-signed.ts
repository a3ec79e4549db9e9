import { OpSdkError } from '../../../../base/errors/index.ts';
import { durationText } from '../../../../base/util/duration-text.ts';
import type { WatchedCertificate } from '../../certificate/index.ts';
import { durationMs } from '../../duration.ts';
import type { SelfSignedOptions } from './options.ts';
import { SelfSigned, type SelfSignedParts } from './self-signed.ts';
import { defaultLifetimes, type Lifetimes } from './settings.ts';

export interface StartSelfSignedOptions extends Omit<SelfSignedParts, 'settings' | 'lifetimes'> {
  readonly options: SelfSignedOptions;
  /** Ends the wait for the first certificate. */
  readonly stop: AbortSignal;
}

/**
 * Reads or makes the certificate, and keeps it up to date.
 *
 * @throws OpSdkError `runtime/invalid-self-signed`, `runtime/invalid-duration`; the signal's reason
 */
export async function startSelfSigned(parts: StartSelfSignedOptions): Promise<WatchedCertificate> {
  const { options, stop, ...others } = parts;
  const selfSigned = new SelfSigned({ ...others, settings: options, lifetimes: lifetimesOf(options) });
  try {
    const pair = await selfSigned.start(stop);
    return { pair, stop: () => selfSigned.stop(), check: () => selfSigned.check() };
  } catch (error) {
    await selfSigned.stop();
    throw error;
  }
}

function lifetimesOf({ certificateLifetime, authorityLifetime }: SelfSignedOptions): Lifetimes {
  const certificate = durationMs(certificateLifetime ?? defaultLifetimes.certificate);
  const authority = durationMs(authorityLifetime ?? defaultLifetimes.authority);
  if (certificate <= 0 || certificate * 3 > authority)
    throw new OpSdkError({
      code: 'runtime/invalid-self-signed',
      message: `webhooks.selfSigned: expected a certificateLifetime of at most a third of authorityLifetime (${durationText(authority)}), got ${durationText(certificate)}`,
      fix: ['lower certificateLifetime, or raise authorityLifetime'],
    });
  return { certificate, authority, settle: Math.min(defaultLifetimes.settle, certificate / 10) };
}
