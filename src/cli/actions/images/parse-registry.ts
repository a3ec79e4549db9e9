import { isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { parseReference } from '../../../images/index.ts';
import { credentialsKeys } from '../../../images/registry/registry-host.ts';
import { invalidFlag } from '../input/flag-values.ts';

/**
 * The registry that an argument names: as docker takes it, also as the URL of a host.
 * @throws OpSdkError `cli/invalid-value`
 */
export function parseRegistry(text: string): string {
  const host = text.replace(/^https?:\/\//, '').replace(/\/(?:v[12]\/?)?$/, '');
  if (credentialsKeys('docker.io').includes(host)) return 'docker.io';
  const registry = host.includes('/') || host.includes('@') ? undefined : registryOf(host);
  if (registry === host) return registry;
  throw new OpSdkError(
    invalidFlag(
      '<registry>',
      // Somebody may have written a password into the URL.
      text.includes('@')
        ? 'invalid registry: expected host or host:port'
        : `invalid registry '${text}': expected host or host:port`,
      'write it without a repository: registry.example.com, localhost:5000, docker.io',
    ),
  );
}

function registryOf(host: string): string | undefined {
  try {
    return parseReference(`${host}/repository`).registry;
  } catch (error) {
    if (isOpSdkError(error)) return undefined;
    throw error;
  }
}
