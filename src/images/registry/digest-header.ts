import { OpSdkError } from '../../base/errors/index.ts';
import type { RegistryClient } from './client.ts';
import type { WireResponse } from '../../sdk/net/wire.ts';

/**
 * Checks the digest that a registry says something has. Registries need not say any.
 * @throws OpSdkError `oci/digest-mismatch`
 */
export function checkDigestHeader(
  response: WireResponse,
  expected: string,
  what: string,
  { purpose }: RegistryClient,
): void {
  const digest = response.header('docker-content-digest');
  // Another algorithm says nothing about ours.
  if (digest === undefined || !digest.startsWith('sha256:') || digest === expected) return;
  throw digestMismatch(
    `${purpose.registry} says that ${what} is ${digest.slice(0, 71)}`,
    expected,
    purpose.registry,
  );
}

/** `oci/digest-mismatch` */
export function digestMismatch(found: string, expected: string, object: string): OpSdkError {
  return new OpSdkError({
    code: 'oci/digest-mismatch',
    message: `${found}, not ${expected}`,
    where: { object },
    fix: [
      'run the command again; if it happens again, check the proxies and firewalls between you and the registry',
    ],
  });
}
