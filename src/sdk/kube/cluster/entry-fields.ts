import { OpSdkError } from '../../../base/errors/index.ts';
import { renewedSecret, secrets } from '../../net/index.ts';
import { invalidKubeconfig, type NamedEntry } from './kubeconfig-file.ts';
import { OutsideFile } from './outside-file.ts';

/** Returns a reader of the PEM text of `field` or `field-data`; the data wins, as in client-go. A file is read each time. */
export function pem(
  entry: NamedEntry,
  field: string,
  isSecret = false,
): ((signal?: AbortSignal) => Promise<string>) | undefined {
  const data = text(entry, `${field}-data`);
  if (data !== undefined) {
    const decoded = Buffer.from(data, 'base64').toString('utf8');
    if (!decoded.includes('-----BEGIN')) {
      throw invalidKubeconfig(
        entry.file,
        `${field}-data of ${entry.name} is not the base64 form of a PEM text`,
      );
    }
    if (isSecret) secrets.hide(decoded);
    return () => Promise.resolve(decoded);
  }
  const path = text(entry, field);
  if (path === undefined) return undefined;
  const hide = isSecret ? renewedSecret() : undefined;
  const file = new OutsideFile(path, `${field} of ${entry.name}`);
  return async (signal) => {
    try {
      const content = await file.read(signal);
      hide?.(content);
      return content;
    } catch (error) {
      if (signal?.aborted === true || error instanceof OpSdkError) throw error;
      throw new OpSdkError(
        {
          code: 'kube/credentials-failed',
          message: `${field} of ${entry.name} cannot be read: ${(error as Error).message}`,
          where: { file: path },
        },
        { cause: error },
      );
    }
  };
}

/** A string field; empty counts as absent, as in client-go. */
export function text(entry: NamedEntry, field: string): string | undefined {
  const value: unknown = entry.value[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw invalidKubeconfig(entry.file, `${field} of ${entry.name} is not a string`);
  return value;
}
