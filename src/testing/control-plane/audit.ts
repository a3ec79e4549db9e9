import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent, AuditPolicy } from './types.ts';

/** Where the audit log of a control plane is, and what goes into it. */
export interface AuditFiles {
  readonly policyFile: string;
  readonly logFile: string;
}

const everyRequest: AuditPolicy = { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] };

/** Writes the policy file; undefined if there is to be no audit log. */
export async function prepareAudit(
  folder: string,
  audit: boolean | AuditPolicy | undefined,
): Promise<AuditFiles | undefined> {
  if (audit === undefined || audit === false) return undefined;
  const policyFile = join(folder, 'audit-policy.json');
  const policy = audit === true ? everyRequest : audit;
  await writeFile(policyFile, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy }));
  return { policyFile, logFile: join(folder, 'audit.log') };
}

/** The events in an audit log; a last line that is still being written is left for the next call. */
export async function readAuditLog(file: string): Promise<readonly AuditEvent[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditEvent);
}
